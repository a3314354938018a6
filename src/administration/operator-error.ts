/** What an operator asked for cannot be done. The message is a sentence that says why, and what to do. */
export class OperatorError extends Error {}
