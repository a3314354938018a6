/**
 * A kind of job is a function from its payload to its effect.
 *
 * The function may run any number of times, in several workers at once; the effect is carried out once
 * (workers/jobs/effects.ts). So the function changes nothing by itself, and decides on the realm's state.
 */

import type { Logger } from 'pino'
import type { Directory } from '../../domain/log-in/directories.js'
import type { FileStorage } from '../../store/files/file-storage.js'
import type { ImageDecoder } from '../../store/files/image-decoder.js'
import type { JobKind, JobPayloads } from '../../store/jobs/job-table.js'
import type { Realm } from '../../store/log/realm.js'
import type { WriteContext } from '../../store/log/write-context.js'
import type { Get, Post } from '../../store/outgoing/outgoing-http.js'
import type { StandbyReads } from '../../store/standbys/standby-reads.js'
import type { Effect } from './effects.js'
import type { SendMail } from './mail.js'

/** The parts of the process with which jobs call other servers. */
export interface JobDependencies {
  sendMail: SendMail
  /** Returns the address of an organization by its string_id. */
  realmUrl(string_id: string): string
  /** Returns the host name of an organization by its string_id. */
  realmHost(string_id: string): string
  /** the directories of the deployment */
  directories: readonly Directory[]
  /** Deletes the event queues of accounts. */
  removeQueues(realm_id: number, user_ids: readonly number[]): Promise<void>
  log: Logger
  post: Post
  get: Get
  /** as `get`, for pictures, which are larger than pages */
  getPicture: Get
  files: FileStorage
  /** runs reads that load Postgres most, where there are standbys */
  standbys: StandbyReads
  images: ImageDecoder
}

/** One job, and the parts of the process that its handler uses. */
export interface JobContext<K extends JobKind> extends JobDependencies {
  /** the write context of the effect; opened before the handler reads anything */
  write: WriteContext
  realm: Realm
  job_id: number
  payload: JobPayloads[K]
  /** how often the job was postponed before */
  attempts: number
  /**
   * Runs a call to another server, which no transaction can undo.
   * It runs only once, however often the handler runs again because the structure of the realm changed.
   */
  runExternalCall<T>(call: () => Promise<T>): Promise<T>
}

/** Says that another server is not ready for the job. The job is postponed, and no error is logged. */
export class JobNotReadyError extends Error {}

/**
 * Handles jobs of one kind: returns the effect of a job. Throws JobNotReadyError when the job should be postponed, and
 * StaleStateError when it should run again on newer state.
 */
export type JobHandler<K extends JobKind> = (job: JobContext<K>) => Promise<Effect>
