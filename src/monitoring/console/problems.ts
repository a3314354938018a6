/** Says in words what an operator should look at, and what to do about it. */
import type { ConsoleState, DeploymentFacts, Problem, Sample, SampleKey, ShownProcess } from './report.js'

/** Milliseconds without a report after which a process counts as silent. It reports every 2 seconds. */
const SILENT_MS = 10_000
/** The newest samples that are judged: one bad sample is no problem. */
export const JUDGED_SAMPLES = 15
/** With fewer samples a process has just started. */
const FEWEST_SAMPLES = 5
/** Attempts after which a failed job needs an operator: it has failed for more than half a minute. */
const MANY_ATTEMPTS = 5

/** The problems of a deployment, errors first. @param isRedisAway whether the process that answers cannot use Redis */
export const findProblems = (
  { processes, facts }: Pick<ConsoleState, 'processes' | 'facts'>,
  isRedisAway: boolean,
): Problem[] => {
  const live = processes.filter(({ age }) => age <= SILENT_MS)
  const found = [
    ...findServiceProblems(live, isRedisAway),
    ...(isRedisAway ? [] : findSilence(processes)),
    ...(isRedisAway ? [] : findMissingKinds(live)),
    ...live.flatMap(findProcessProblems),
    ...findDifferentReleases(live),
    ...(facts === null ? [] : findJobProblems(facts)),
    ...(facts === null ? [] : findStatementProblems(facts)),
  ]
  return [...found.filter(({ severity }) => severity === 'error'), ...found.filter((one) => one.severity === 'warning')]
}

const nameOf = ({ report: { kind, host, pid } }: ShownProcess) => `${kind} ${host}:${pid}`
const listNames = (processes: readonly ShownProcess[]) => processes.map(nameOf).join(', ')

const error = (text: string, advice: string): Problem => ({ severity: 'error', text, advice })
const warning = (text: string, advice: string): Problem => ({ severity: 'warning', text, advice })

const findServiceProblems = (live: readonly ShownProcess[], isRedisAway: boolean): Problem[] => {
  const without = (service: 'postgres' | 'redis') => live.filter(({ report }) => report.outages[service] !== undefined)
  const [postgres, redis] = [without('postgres'), without('redis')]
  const reason = (of: readonly ShownProcess[], service: 'postgres' | 'redis') => of[0]?.report.outages[service] ?? ''
  return [
    ...(postgres.length === 0
      ? []
      : [
          error(
            `Postgres cannot be used by ${listNames(postgres)}: ${reason(postgres, 'postgres')}.`,
            'Calls are answered with 503 until it is back. Check Postgres and DATABASE_URL.',
          ),
        ]),
    ...(redis.length === 0 && !isRedisAway
      ? []
      : [
          error(
            `Redis cannot be used${redis.length === 0 ? '' : ` by ${listNames(redis)}: ${reason(redis, 'redis')}`}.`,
            'Nothing is lost, but events reach other gateways later, and this page shows other processes as they were. Check Redis and REDIS_URL.',
          ),
        ]),
  ]
}

const findSilence = (processes: readonly ShownProcess[]): Problem[] =>
  processes
    .filter(({ age }) => age > SILENT_MS)
    .map((one) =>
      error(
        `The ${nameOf(one)} has not reported for ${Math.round(one.age / 1000)} s.`,
        'It ended without shutting down, hangs, or cannot reach Redis. Look at the end of its log; start it again if nothing does. It disappears from here after 10 minutes.',
      ),
    )

const findMissingKinds = (live: readonly ShownProcess[]): Problem[] => [
  ...(live.some(({ report }) => report.kind === 'gateway')
    ? []
    : [error('No gateway runs.', 'No client can connect. Start a gateway: node dist/gateway.js.')]),
  ...(live.some(({ report }) => report.kind === 'worker')
    ? []
    : [error('No worker runs.', 'Jobs wait: no mails, notices and webhooks. Start a worker: node dist/worker.js.')]),
]

const newest = (samples: readonly Sample[], key: SampleKey): number[] =>
  samples
    .slice(-JUDGED_SAMPLES)
    .map((sample) => sample[key])
    .filter((value): value is number => typeof value === 'number')
const average = (values: readonly number[]) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
/** The value in the middle; 0: there are too few values to judge. */
const median = (values: readonly number[]) =>
  values.length < FEWEST_SAMPLES ? 0 : (values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0)
const least = (values: readonly number[]) => (values.length < JUDGED_SAMPLES ? 0 : Math.min(...values))

/** What the samples of one process tell, as a rule each. */
const findProcessProblems = (one: ShownProcess): Problem[] => {
  const { report, samples } = one
  const name = nameOf(one)
  const of = (key: SampleKey) => newest(samples, key)
  const found: Problem[] = report.warnings.map((text) => warning(`The ${name} warns: ${text}`, 'Repair it.'))
  const lag = least(of('lag'))
  if (lag > 100)
    found.push(
      error(
        `The ${name} is ${Math.round(lag)} entries behind the log.`,
        'Its clients get events late. Check its load and its connection to Postgres; restart it if it does not catch up.',
      ),
    )
  const loop = median(of('loop'))
  if (loop > 0.9)
    found.push(
      warning(
        `The ${name} is busy for ${Math.round(loop * 100)} % of the time.`,
        `Start another ${report.kind}, or look at the organizations and endpoints that cause the load below.`,
      ),
    )
  const delay = median(of('loopDelay'))
  if (delay > 100)
    found.push(
      warning(
        `The event loop of the ${name} is delayed by ${Math.round(delay)} ms.`,
        'Every client of this process waits so long. Check whether the machine has enough CPU for it.',
      ),
    )
  const memory = samples.at(-1)?.memory ?? 0
  if (report.memory_limit !== null && memory > report.memory_limit * 0.9)
    found.push(
      warning(
        `The ${name} uses ${toMebibytes(memory)} of ${toMebibytes(report.memory_limit)} MiB of memory.`,
        'The system ends it when it needs more. Give it more memory, or start another one.',
      ),
    )
  const heap = samples.at(-1)?.heap ?? 0
  if (heap > report.heap_limit * 0.85)
    found.push(
      warning(
        `The heap of the ${name} has ${toMebibytes(heap)} of at most ${toMebibytes(report.heap_limit)} MiB.`,
        'Set --max-old-space-size to about three quarters of its memory, or start another one.',
      ),
    )
  const wait = median(of('postgresWait'))
  if (wait > 100)
    found.push(
      warning(
        `A small query of the ${name} takes ${Math.round(wait)} ms.`,
        'Postgres is slow, or its connections are all in use. Look at the slow statements below; give Postgres more CPU.',
      ),
    )
  const delivery = median(of('deliveryP99'))
  if (delivery > 1000)
    found.push(
      warning(
        `Events of the ${name} arrive late: ${(delivery / 1000).toFixed(1)} s after the commit (p99).`,
        'Add gateways, and check the network to Redis.',
      ),
    )
  const failed = average(of('failedCalls'))
  if (failed > 0)
    found.push(
      warning(
        `The ${name} answers calls with an error of the server (${failed.toFixed(2)} a second).`,
        'Each has a line of level error in its log, with the reason.',
      ),
    )
  if (average(of('slowClients')) > 0)
    found.push(
      warning(
        `The ${name} closed clients that did not read their events.`,
        'They resume without a loss. If many do not read, check the network; MAX_UNSENT_MIB is the memory for them.',
      ),
    )
  if (average(of('jobFailures')) > 0)
    found.push(warning(`Jobs fail in the ${name}.`, 'The list of failed jobs has the reasons; they run again.'))
  return found
}

const toMebibytes = (bytes: number) => Math.round(bytes / 1024 / 1024)

const findDifferentReleases = (live: readonly ShownProcess[]): Problem[] => {
  const versions = new Set(live.map(({ report }) => report.version))
  return versions.size <= 1
    ? []
    : [
        warning(
          `${versions.size} releases run at the same time: ${[...versions].join(', ')}.`,
          'This is normal during an upgrade. Afterwards, restart the processes of the old release.',
        ),
      ]
}

const findJobProblems = ({ jobs, failed_jobs }: DeploymentFacts): Problem[] => {
  const late = jobs.filter(({ due, longest_wait }) => due > 0 && longest_wait > 60)
  const stuck = failed_jobs.filter(({ attempts }) => attempts >= MANY_ATTEMPTS)
  return [
    ...late.map(({ name, due, longest_wait }) =>
      warning(
        `${due} jobs of the class ${name} are due, and one has waited for ${Math.round(longest_wait)} s.`,
        'Start another worker, or look at what they wait for: the mail server, the file storage, or Postgres.',
      ),
    ),
    ...(stuck.length === 0
      ? []
      : [
          warning(
            `${stuck.length === 1 ? 'A job has' : `${stuck.length} jobs have`} failed ${MANY_ATTEMPTS} times or more.`,
            'The list of failed jobs has the last error of each. Repair its cause, and then run the job again.',
          ),
        ]),
  ]
}

const findStatementProblems = ({ running_statements }: DeploymentFacts): Problem[] =>
  running_statements
    .filter(({ seconds }) => seconds > 30)
    .map(({ pid, seconds, waits_for_lock }) =>
      warning(
        `A statement has run for ${Math.round(seconds)} s in Postgres (process ${pid})${waits_for_lock ? ', waiting for a lock' : ''}.`,
        waits_for_lock
          ? `Find who blocks it: select pg_blocking_pids(${pid}).`
          : `If it should not run so long: select pg_cancel_backend(${pid}).`,
      ),
    )
