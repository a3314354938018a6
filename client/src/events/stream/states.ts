/** The states of a stream, the events that end them, and what a stream does in a state. */
import type { Activity } from '../activity.js'
import type { Cursor, End } from '../connection.js'
import type { News } from '../follow.js'

/** Each state is a function in a file of its own name; transitions.ts says which state follows on which event. */
export type State =
  /** The stream has no queue, and asks for one. */
  | { readonly name: 'registering' }
  /** This page reads the queue after the cursor, with a connection of its own. */
  | { readonly name: 'reading'; readonly after: Cursor }
  /** Another page reads the queue, and tells this one what it receives. */
  | { readonly name: 'following'; readonly after: Cursor }
  /** The last attempt failed. */
  | { readonly name: 'waitingForAttempt'; readonly milliseconds: number; readonly reason: string }
  /** Too many events wait for the reader of the iteration: there is no connection. */
  | { readonly name: 'waitingForReader' }
  /** Without an account there is no queue. This state has no end but the call of `close`. */
  | { readonly name: 'withoutEvents' }
  /** The iteration ends with this error. A call of `close` ends it from every state, without an error. */
  | { readonly name: 'closed'; readonly error: unknown }

/** What ends a state. `workedMs`: how long its connection worked; undefined if it never did. */
export type StreamEvent =
  | { readonly name: 'registered' }
  | { readonly name: 'registrationFailed'; readonly error: unknown }
  /** The connection of this page ended by itself, or the page that follows cannot go on with its queue. */
  | { readonly name: 'connectionEnded'; readonly end: End; readonly workedMs: number | undefined }
  /**
   * This page leads from now on, or does not any more; the application chose a route; the device is offline; too many
   * events wait for the reader; the preferred transport is to be tried again.
   */
  | { readonly name: 'interrupted'; readonly workedMs: number | undefined }
  /** The time of the next attempt has come, or the application or the browser says that it has. */
  | { readonly name: 'attemptDue' }
  /** The reader has taken half of the events that may wait. */
  | { readonly name: 'readerTook' }

/** What a stream does in a state, until it ends with an event. */
export interface StateActivity extends Activity<StreamEvent> {
  /** The page that leads tells this. */
  takeNews?(news: News): void
  /** The reader of the iteration has taken an item. */
  noteTaken?(): void
}
