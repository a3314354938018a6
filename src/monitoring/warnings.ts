/** What an operator should repair though the process can work: shown on the page of readiness and in the log. */
import type { Config } from '../config/config.js'
import type { Membership } from '../store/deployment/membership.js'
import { findExhaustion, findSpaceWarning, readPostgresSpace } from '../store/disk-space.js'
import type { FileStorage } from '../store/files/file-storage.js'
import type { Bus } from '../store/log/bus.js'
import type { Sql } from '../store/sql.js'
import type { StandbyReads } from '../store/standbys/standby-reads.js'
import type { FindWarning } from './health.js'

type WarnedConfig = Pick<Config, 'ROOT_REALM' | 'UPLOADS_DIR' | 'S3_BUCKET'>

/** The warnings of a process with this configuration. */
export const findWarnings = (
  { ROOT_REALM, UPLOADS_DIR, S3_BUCKET }: WarnedConfig,
  sql: Sql,
  files: Pick<FileStorage, 'findProblem' | 'readSpace'>,
  bus: Pick<Bus, 'findWarning'>,
  standbys: Pick<StandbyReads, 'findWarning'>,
  membership: Pick<Membership, 'findWarning'>,
  configWarnings: readonly string[],
): FindWarning[] => [
  ...configWarnings.map((warning) => async () => warning),
  async () => membership.findWarning(),
  async () => {
    if (ROOT_REALM === undefined) return undefined
    const found = await sql`select from realms where string_id = ${ROOT_REALM}`
    return found.count > 0
      ? undefined
      : `ROOT_REALM: there is no organization named ${ROOT_REALM}: create it, or change the variable.`
  },
  async () => {
    const problem = await files.findProblem()
    const variable = S3_BUCKET === undefined ? `UPLOADS_DIR (${UPLOADS_DIR})` : `S3_BUCKET (${S3_BUCKET})`
    return problem === undefined ? undefined : `${variable}: files cannot be stored: ${problem}`
  },
  async () => {
    const [row] = await sql<{ mode: string; role: string }[]>`
      select current_setting('plan_cache_mode') as mode, current_user as role`
    return row === undefined || row.mode === 'force_generic_plan'
      ? undefined
      : `DATABASE_URL: the proxy in front of Postgres drops plan_cache_mode, so statements are planned at each call. Run: alter role "${row.role}" set plan_cache_mode = force_generic_plan`
  },
  async () => {
    const [row] = await sql<{ small: string }[]>`select lower('ÉI') as small`
    return row === undefined || row.small === 'éi'
      ? undefined
      : 'DATABASE_URL: the locale of the database has other small letters: its É and I are ' +
          `${row.small[0]} and ${row.small[1]}. Topics then tell upper and lower case apart, or mix letters up. ` +
          'Copy the data to a database with the locale C.UTF-8 or en_US.UTF-8 (docs/operations.md).'
  },
  async () => findSpaceWarning(`UPLOADS_DIR (${UPLOADS_DIR})`, await files.readSpace()),
  async () => findSpaceWarning('DATABASE_URL: the folder of Postgres', await readPostgresSpace(sql)),
  async () => findExhaustion(),
  async () => bus.findWarning(),
  async () => standbys.findWarning(),
]
