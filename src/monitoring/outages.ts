/** Tells operators once when Postgres or Redis is lost, and once when it is back, in the log and as metrics. */
import type { Logger } from 'pino'
import type { Bus } from '../store/log/bus.js'
import type { Health } from './health.js'
import type { Metrics } from './metrics.js'

/** How often the connections are checked, in milliseconds. */
const INTERVAL_MS = 1_000

/** A service that this process uses. */
interface Service {
  name: 'Postgres' | 'Redis'
  /** Why it cannot be used; undefined: it can. */
  findProblem(): Promise<string | undefined>
  /** the time of the loss, in milliseconds */
  lostAt: number | undefined
  problem: string | undefined
}

/**
 * Watches the connections of a process. A process that starts without a service reports it as lost.
 * @returns a function that ends it
 */
export const watchOutages = (log: Logger, metrics: Metrics, health: Health, bus: Pick<Bus, 'isUp'>): (() => void) => {
  const services: Service[] = [
    {
      name: 'Postgres',
      lostAt: undefined,
      problem: undefined,
      async findProblem() {
        const { postgres } = await health.check()
        return postgres.answers ? postgres.problem : 'it does not answer'
      },
    },
    {
      name: 'Redis',
      lostAt: undefined,
      problem: undefined,
      findProblem: async () => (bus.isUp() ? undefined : 'it does not answer'),
    },
  ]
  metrics.gauges(
    'parley_service_up',
    'Whether a service that this process uses answers (1) or not (0)',
    'service',
    () => Object.fromEntries(services.map(({ name, lostAt }) => [name.toLowerCase(), lostAt === undefined ? 1 : 0])),
  )

  const check = async (service: Service) => {
    const { name, lostAt, problem: former } = service
    const problem = await service.findProblem()
    service.problem = problem
    if (problem !== undefined) {
      service.lostAt ??= Date.now()
      if (problem !== former) log.error({ service: name, problem }, `${name} cannot be used`)
    } else if (lostAt !== undefined) {
      service.lostAt = undefined
      const seconds = Math.round((Date.now() - lostAt) / 100) / 10
      log.warn({ service: name, seconds }, `${name} can be used again`)
    }
  }
  let isChecking = false
  const timer = setInterval(() => {
    if (isChecking || health.isDraining) return
    isChecking = true
    void Promise.all(services.map(check)).finally(() => {
      isChecking = false
    })
  }, INTERVAL_MS)
  return () => clearInterval(timer)
}
