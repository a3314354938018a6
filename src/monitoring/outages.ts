/**
 * Tells operators once when Postgres or Redis is lost, and once when it is back, in the log and as metrics. A process
 * that starts without one of them says so too, with the name of the variable that has its address.
 */
import type { Logger } from 'pino'
import type { Bus } from '../store/log/bus.js'
import type { Health } from './health.js'
import type { Metrics } from './metrics.js'

/** How often the connections are checked, in milliseconds. */
const INTERVAL_MS = 1_000

/** Why a service cannot be used. */
interface Problem {
  /** Problems of one kind are one outage: the words of a driver may change with each attempt. */
  kind: string
  text: string
}

/** A service that this process uses. */
interface Service {
  name: 'Postgres' | 'Redis'
  /** the variable with its address */
  variable: 'DATABASE_URL' | 'REDIS_URL'
  /** Why it cannot be used; undefined: it can. */
  findProblem(): Promise<Problem | undefined>
  /** the time of the loss, in milliseconds */
  lostAt: number | undefined
  kind: string | undefined
  outages: number
  /** milliseconds of the outages that have ended */
  milliseconds: number
}

const newService = (
  name: Service['name'],
  variable: Service['variable'],
  findProblem: Service['findProblem'],
): Service => ({ name, variable, findProblem, lostAt: undefined, kind: undefined, outages: 0, milliseconds: 0 })

/**
 * Watches the connections of a process. A process that starts without a service reports it as lost.
 * @returns a function that ends it
 */
export const watchOutages = (
  log: Logger,
  metrics: Metrics,
  health: Health,
  bus: Pick<Bus, 'findProblem'>,
): (() => void) => {
  const services: Service[] = [
    newService('Postgres', 'DATABASE_URL', async () => {
      const { answers, problem } = (await health.check()).postgres
      if (problem === undefined) return undefined
      return answers ? { kind: problem, text: problem } : { kind: 'away', text: problem }
    }),
    newService('Redis', 'REDIS_URL', async () => {
      const text = bus.findProblem()
      return text === undefined ? undefined : { kind: 'away', text }
    }),
  ]
  const read = (value: (service: Service) => number) => () =>
    Object.fromEntries(services.map((service) => [service.name.toLowerCase(), value(service)]))
  metrics.gauges(
    'parley_service_up',
    'Whether a service that this process uses answers (1) or not (0)',
    'service',
    read(({ lostAt }) => (lostAt === undefined ? 1 : 0)),
  )
  metrics.counter(
    'parley_service_outages_total',
    'How often a service was lost',
    read(({ outages }) => outages),
    'service',
  )
  metrics.counter(
    'parley_service_outage_seconds_total',
    'How long a service was lost, together',
    read(({ lostAt, milliseconds }) => (milliseconds + (lostAt === undefined ? 0 : Date.now() - lostAt)) / 1000),
    'service',
  )

  let warnings: readonly string[] = []
  const checkWarnings = async () => {
    const previous = warnings
    warnings = (await health.check()).warnings
    for (const warning of warnings) if (!previous.includes(warning)) log.warn({ warning }, 'an operator should look')
  }

  const check = async (service: Service) => {
    const { name, variable, lostAt, kind: previous } = service
    const problem = await service.findProblem()
    service.kind = problem?.kind
    if (problem !== undefined) {
      if (lostAt === undefined) {
        service.lostAt = Date.now()
        service.outages += 1
      }
      if (problem.kind !== previous) {
        log.error({ service: name, variable, problem: problem.text }, `${name} cannot be used: waiting for it`)
      }
    } else if (lostAt !== undefined) {
      service.lostAt = undefined
      service.milliseconds += Date.now() - lostAt
      const seconds = Math.round((Date.now() - lostAt) / 100) / 10
      log.warn({ service: name, seconds }, `${name} can be used again`)
    }
  }
  let isChecking = false
  const timer = setInterval(() => {
    if (isChecking || health.isDraining) return
    isChecking = true
    void Promise.all([...services.map(check), checkWarnings()]).finally(() => {
      isChecking = false
    })
  }, INTERVAL_MS)
  return () => clearInterval(timer)
}
