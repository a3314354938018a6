/**
 * Classes of jobs. Each class has its own queue in Redis and its own slots in each worker, so that jobs that wait for
 * one thing (a server of a user, the mail server, the file storage) never delay jobs that do not need it.
 */
import type { JobKind } from './job-table.js'

export interface JobClass {
  /** The kinds of its jobs. A realm's waiting jobs of an earlier kind run first. */
  kinds: readonly JobKind[]
  /** jobs at a time, per worker */
  slots: number
  /** jobs of one realm at a time, per worker: fewer than `slots`, so that no realm delays another one */
  slots_per_realm: number
}

const classes = {
  /** messages of the Notification Bot and of users; they wait for Postgres only */
  notices: {
    kinds: [
      'scheduled_message',
      'reminder',
      'end_status',
      'subscription_notices',
      'group_notices',
      'channel_notices',
      'channel_news',
      'move_notices',
      'invitation_accepted',
      'welcome_message',
      'signup_notice',
      'broken_event_subscription',
    ],
    slots: 4,
    slots_per_realm: 2,
  },
  /** They wait for the mail server. First those for which a user waits; last those that are many. */
  mail: {
    kinds: [
      'password_reset_mail',
      'credentials_mail',
      'password_changed_mail',
      'second_factor_mail',
      'join_mail',
      'sign_up_mail',
      'email_change_mail',
      'login_mail',
      'email_changed_mail',
      'welcome_mail',
      'sign_up_decided_mail',
      'deactivation_mail',
      'invitation_mail',
      'missed_mail',
    ],
    slots: 4,
    slots_per_realm: 2,
  },
  /** They wait for servers of users. A waiting call costs a socket and its response in memory, so there may be many. */
  webhooks: { kinds: ['outgoing_webhook'], slots: 32, slots_per_realm: 4 },
  previews: { kinds: ['page_previews'], slots: 16, slots_per_realm: 2 },
  /** They wait for other sites, and readers wait for them. Each holds a picture in memory. */
  external_pictures: { kinds: ['external_picture'], slots: 16, slots_per_realm: 6 },
  /** parts of long work in the database, each of them bounded */
  batches: {
    kinds: ['delete_topic', 'mark_read', 'read_left_channel', 'archive_flags', 'starred_access', 'restart_news'],
    slots: 4,
    slots_per_realm: 2,
  },
  /**
   * Two of them run. The others wait for their turn, which accounts take one after the other, and
   * hold nothing meanwhile (store/files/image-decoder.ts). So there may be many, and a realm has
   * more slots than one of its accounts may use.
   */
  pictures: { kinds: ['thumbnail'], slots: 200, slots_per_realm: 50 },
  /** One of them runs, and the others wait as pictures do. */
  documents: { kinds: ['file_words'], slots: 40, slots_per_realm: 10 },
  /** They wait for directories of accounts, and change many accounts in small parts. */
  directories: {
    kinds: ['end_queues', 'directory_changes', 'directory_run', 'directory_picture'],
    slots: 4,
    slots_per_realm: 2,
  },
  /** They take minutes or hours. */
  archives: { kinds: ['realm_export', 'delete_realm'], slots: 2, slots_per_realm: 1 },
} as const satisfies Record<string, JobClass>

export type JobClassName = keyof typeof classes

/** The classes by name. */
export const jobClasses: Readonly<Record<JobClassName, JobClass>> = classes

export const jobClassNames = Object.keys(classes) as JobClassName[]

/** Every kind has a class: the type says so. */
const classByKind = Object.fromEntries(
  jobClassNames.flatMap((name) => jobClasses[name].kinds.map((kind) => [kind, name])),
) as Readonly<Record<(typeof classes)[JobClassName]['kinds'][number], JobClassName>>

/** The class whose queue and slots a job of this kind uses. */
export const jobClassOf = (kind: JobKind): JobClassName => classByKind[kind]
