/**
 * An error that the user of the command can fix.
 *
 * The message says what is wrong and which command or option fixes it. It is printed without a stack trace.
 */
export class Failure extends Error {
  override name = 'Failure'
}
