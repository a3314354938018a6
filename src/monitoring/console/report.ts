/** What the console shows, as its page reads it. The page imports these types. */

/** The values of a process at one time, and its rates since the sample before; null: unknown. */
export type Sample = { at: number } & Partial<Record<SampleKey, number | null>>

/** The values of a sample; samples.ts says from which metric each of them comes. */
export type SampleKey =
  | 'cpu'
  | 'loop'
  | 'loopDelay'
  | 'memory'
  | 'heap'
  | 'lag'
  | 'postgresWait'
  | 'sockets'
  | 'streams'
  | 'polls'
  | 'calls'
  | 'failedCalls'
  | 'sends'
  | 'batch'
  | 'events'
  | 'deliveryP50'
  | 'deliveryP99'
  | 'barrierP50'
  | 'barrierP99'
  | 'retries'
  | 'slowClients'
  | 'jobsDone'
  | 'jobFailures'
  | 'jobsDue'
  | 'jobsWait'

/** An organization's load in one process. */
export interface RealmLoad {
  realm: string
  /** requests and jobs per second that used it in this process */
  requests: number
  /** entries per second of its log */
  entries: number
  /** clients that receive its events from this process */
  connections: number
}

/** The calls of one endpoint since the process started. */
export interface SlowCalls {
  endpoint: string
  count: number
  /** milliseconds */
  mean: number
  p99: number
  /** how many seconds all of them took together */
  total: number
}

/** What a process says about itself. */
export interface ProcessReport {
  kind: 'gateway' | 'worker'
  version: string
  host: string
  pid: number
  /** where its operations listener is */
  address: string
  /** as Date.now() */
  started_at: number
  is_draining: boolean
  /** a gateway or worker may use so many bytes of memory; null: no limit is known */
  memory_limit: number | null
  /** the largest heap of JavaScript, in bytes */
  heap_limit: number
  /** why a service cannot be used; absent: it can */
  outages: { postgres?: string; redis?: string }
  warnings: readonly string[]
  /** the busiest organizations */
  realms: RealmLoad[]
  /** the endpoints on which most time was spent */
  calls: SlowCalls[]
}

/** A process as the console shows it. */
export interface ShownProcess {
  id: string
  report: ProcessReport
  /** the oldest first */
  samples: Sample[]
  /** milliseconds since it reported */
  age: number
}

/** The open jobs of a class, in the whole deployment. */
export interface JobClassCounts {
  name: string
  due: number
  longest_wait: number
  scheduled: number
  failed: number
}

/** A job that failed and will run again. */
export interface FailedJob {
  id: number
  /** the organization's string_id */
  realm: string
  kind: string
  attempts: number
  /** null: not known */
  last_error: string | null
  /** seconds since it was written */
  age: number
  /** seconds until it runs again; not positive: it is due */
  runs_in: number
}

/** A kind of statement of Postgres; times in milliseconds. */
export interface StatementStatistics {
  query: string
  calls: number
  mean: number
  max: number
  total: number
}

/** A statement that runs in Postgres now. */
export interface RunningStatement {
  /** the process of Postgres */
  pid: number
  query: string
  seconds: number
  waits_for_lock: boolean
}

/** What only Postgres knows, about the whole deployment. */
export interface DeploymentFacts {
  queues: number
  jobs: JobClassCounts[]
  failed_jobs: FailedJob[]
  /** undefined: pg_stat_statements is not installed */
  statements?: StatementStatistics[]
  running_statements: RunningStatement[]
}

/** Something that an operator should look at. */
export interface Problem {
  severity: 'error' | 'warning'
  /** what is wrong, as a sentence */
  text: string
  /** what to do */
  advice: string
}

/** Everything that the page shows. */
export interface ConsoleState {
  /** the process that answered */
  own_id: string
  at: number
  processes: ShownProcess[]
  /** null: Postgres does not answer */
  facts: DeploymentFacts | null
  problems: Problem[]
}
