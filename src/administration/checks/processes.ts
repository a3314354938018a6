/** Checks which gateways and workers run, by what they report to Redis. */
import { setTimeout as sleep } from 'node:timers/promises'
import { composeScope, type Identity } from '../../store/deployment/identity.js'
import { openProcessReports, type StoredReport } from '../../store/processes/process-reports.js'
import { fixScope } from '../../store/redis-scope.js'
import { type Finding, ok, warning } from './finding.js'

/** A process reports every two seconds. */
const SILENT_MS = 10_000
const PATIENCE_MS = 3_000

/** Counts the processes of this deployment, and compares their releases. It counts only processes that report. */
export const checkProcesses = async (redis_url: string, identity: Identity): Promise<Finding[]> => {
  const reports = openProcessReports(redis_url, fixScope(composeScope(identity)), 'check')
  let stored: StoredReport[] | undefined
  for (const deadline = Date.now() + PATIENCE_MS; stored === undefined && Date.now() < deadline; await sleep(50)) {
    stored = await reports.read(1)
  }
  await reports.close()
  const running = (stored ?? [])
    .filter(({ age }) => age < SILENT_MS)
    .map(({ report }) => JSON.parse(report) as { kind: string; version: string })
  const count = (kind: string) => running.filter((one) => one.kind === kind).length
  const [gateways, workers] = [count('gateway'), count('worker')]
  const versions = [...new Set(running.map(({ version }) => version))]
  return [
    gateways > 0 ? ok('processes', `gateways: ${gateways}`) : warning('processes', 'no gateway runs: start one.'),
    workers > 0
      ? ok('processes', `workers: ${workers}`)
      : warning('processes', 'no worker runs, so mails, notices, pictures and scheduled messages wait: start one.'),
    ...(versions.length > 1
      ? [warning('processes', `they run several releases (${versions.join(', ')}): finish the upgrade.`)]
      : []),
  ]
}
