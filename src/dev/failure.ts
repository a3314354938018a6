/**
 * Something the person at the keyboard can do something about.
 *
 * Its message is for them: what is the matter, and the command or option that helps. It is printed without a stack.
 */
export class Failure extends Error {
  override name = 'Failure'
}
