/**
 * A kind of job is a function from its payload to its effect.
 *
 * The function may run any number of times, in several workers at once; the effect is carried out once
 * (workers/jobs/effects.ts). So the function changes nothing by itself, and decides on the realm's state.
 */

import type { FileStorage } from '../../store/files/file-storage.js'
import type { JobKind, JobPayloads } from '../../store/jobs/job-table.js'
import type { Realm } from '../../store/log/realm.js'
import type { WriteContext } from '../../store/log/write-context.js'
import type { Effect } from './effects.js'
import type { SendMail } from './mail.js'
import type { Get, Post } from './outgoing-http.js'

/** What jobs reach outside with. */
export interface JobDependencies {
  sendMail: SendMail
  /** the address that clients of an organization are told, by its string_id */
  realmUrl(string_id: string): string
  post: Post
  get: Get
  files: FileStorage
}

export interface JobContext<K extends JobKind> extends JobDependencies {
  /** what the effect is written with; opened before the handler reads anything */
  write: WriteContext
  realm: Realm
  payload: JobPayloads[K]
  /** how often it was put off before */
  attempts: number
  /**
   * Does what reaches outside, where no transaction can take it back: once, however often the handler runs again because
   * the structure of the realm changed.
   */
  outside<T>(act: () => Promise<T>): Promise<T>
}

/** What the job needs outside is not there: it is put off, which is no fault of ours. */
export class JobNotReadyError extends Error {}

export type JobHandler<K extends JobKind> = (assignment: JobContext<K>) => Promise<Effect>
