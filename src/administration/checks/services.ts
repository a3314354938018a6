/** Checks of what a deployment is connected with: Postgres, Redis, the files and the mail server. */
import { tmpdir } from 'node:os'
import type { Config } from '../../config/config.js'
import { findWarnings } from '../../monitoring/warnings.js'
import { findConnectionProblem } from '../../store/connection-check.js'
import { describeConnectionError } from '../../store/connection-errors.js'
import { describeFiles, findForeignClaim, findForeignFiles } from '../../store/deployment/examine-services.js'
import { isCopied, loadIdentity } from '../../store/deployment/identity.js'
import { findSpaceWarning, readDiskSpace } from '../../store/disk-space.js'
import { openFileStorage } from '../../store/files/open-file-storage.js'
import { findWriteProblem } from '../../store/files/write-probe.js'
import { findDatabaseProblem } from '../../store/migrations.js'
import { openRedis, type Redis } from '../../store/redis.js'
import { openSql, type Sql, splitServers } from '../../store/sql.js'
import { verifyMail } from '../../workers/jobs/mail.js'
import { checkClock, type Finding, failed, ok, splitSentence, warning } from './finding.js'
import { checkProcesses } from './processes.js'

/** Checks Postgres. The check covers its connections, its version and migrations, what it warns of, and its clock. */
export const checkDatabase = async (config: Config): Promise<Finding[]> => {
  const { DATABASE_URL } = config
  const sql = openSql(DATABASE_URL, 1)
  try {
    const problem = await findConnectionProblem('DATABASE_URL', DATABASE_URL)
    if (problem !== undefined) return [splitSentence('failed', problem)]
    const lacking = await findDatabaseProblem(sql)
    if (lacking !== undefined) return [failed('DATABASE_URL', lacking)]
    const began = Date.now()
    const [row] = await sql<{ version: string; used: number; most: number; now: number }[]>`
      select current_setting('server_version') as version, current_setting('max_connections')::int as most,
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
        (extract(epoch from clock_timestamp()) * 1000)::int8 as now`
    const identity = await loadIdentity(sql)
    const realms = await sql`select from realms limit 1`
    return [
      ok('DATABASE_URL', `Postgres ${row?.version}, all migrations, ${row?.used} of ${row?.most} connections used`),
      ...(identity !== undefined && isCopied(identity)
        ? [warning('DATABASE_URL', 'the database is a copy, so its processes send nothing: see adopt --help.')]
        : []),
      ...(realms.count > 0 ? [] : [warning('organizations', 'there is none: see create-realm --help.')]),
      ...(await loadWarnings(config, sql)).map((sentence) => splitSentence('warning', sentence)),
      checkClock('Postgres', row?.now ?? began, began),
    ]
  } catch (error) {
    const sentence = describeConnectionError('DATABASE_URL', DATABASE_URL, error)
    if (sentence === undefined) throw error
    return [splitSentence('failed', sentence)]
  } finally {
    await sql.end({ timeout: 1 })
  }
}

const silent = { findWarning: () => undefined }
/** The storage is checked by `checkFiles`. */
const unknownFiles = { findProblem: async () => undefined, readSpace: async () => undefined }

/** What a process with this configuration would warn of, apart from files. */
const loadWarnings = async (config: Config, sql: Sql): Promise<string[]> => {
  const found = await Promise.all(
    findWarnings(config, sql, unknownFiles, silent, silent, silent, []).map((find) => find()),
  )
  return found.filter((sentence) => sentence !== undefined)
}

/** The standbys for reads. */
export const checkStandbys = async ({ DATABASE_READ_URL }: Config): Promise<Finding[]> => {
  const urls = DATABASE_READ_URL === undefined ? [] : splitServers(DATABASE_READ_URL)
  return Promise.all(
    urls.map(async (url) => {
      const sql = openSql(url, 1)
      try {
        const [row] = await sql<{ is_standby: boolean }[]>`select pg_is_in_recovery() as is_standby`
        const { host } = new URL(url)
        return row?.is_standby === true
          ? ok('DATABASE_READ_URL', `${host} is a standby`)
          : warning('DATABASE_READ_URL', `${host} is no standby, so it runs no reads: name the standbys only.`)
      } catch (error) {
        const sentence = describeConnectionError('DATABASE_READ_URL', url, error)
        if (sentence === undefined) throw error
        return splitSentence('warning', `${sentence} The primary runs all reads meanwhile.`)
      } finally {
        await sql.end({ timeout: 1 })
      }
    }),
  )
}

/**
 * Checks Redis. The check covers its connections, the deployment to which it belongs, the processes that report to it,
 * its memory policy and its clock.
 */
export const checkRedis = async ({ REDIS_URL, DATABASE_URL }: Config): Promise<Finding[]> => {
  const redis = openRedis(REDIS_URL)
  const sql = openSql(DATABASE_URL, 1)
  try {
    await waitUntilReady(redis)
    const info = String(await redis.info())
    const read = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim()
    const foreign = await findForeignClaim(sql, REDIS_URL)
    // Without the database nobody knows the names of the deployment in Redis.
    const identity = await loadIdentity(sql).catch(() => undefined)
    const processes = identity === undefined ? [] : await checkProcesses(REDIS_URL, identity)
    const began = Date.now()
    const [seconds, micros] = await (redis as Redis).time()
    const policy = read('maxmemory_policy')
    const hasLimit = (read('maxmemory') ?? '0') !== '0'
    return [
      foreign === undefined
        ? ok('REDIS_URL', `Redis ${read('redis_version') ?? 'of unknown version'}`)
        : splitSentence('failed', foreign),
      ...processes,
      ...(hasLimit && policy !== undefined && policy !== 'noeviction'
        ? [
            warning(
              'REDIS_URL',
              `maxmemory-policy is ${policy}, so Redis forgets jobs and counters when it is full: set noeviction.`,
            ),
          ]
        : []),
      checkClock('Redis', Number(seconds) * 1_000 + Number(micros) / 1_000, began),
    ]
  } finally {
    redis.disconnect()
    await sql.end({ timeout: 1 })
  }
}

const READY_MS = 5_000

const waitUntilReady = (redis: ReturnType<typeof openRedis>): Promise<void> =>
  new Promise((resolve, reject) => {
    let last = ''
    const timer = setTimeout(() => {
      reject(new Error(`Redis does not answer${last === '' ? '' : `: ${last}`}. Start it, or change the variable.`))
    }, READY_MS)
    redis.on('error', ({ message, code }: NodeJS.ErrnoException) => {
      last = message === '' ? (code ?? '') : message
    })
    redis.once('ready', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/**
 * Checks the files. The check covers whether one can be written, read and deleted, the deployment to which they belong,
 * and the room that is left.
 */
export const checkFiles = async (config: Config): Promise<Finding[]> => {
  const subject = config.S3_BUCKET === undefined ? 'UPLOADS_DIR' : 'S3_BUCKET'
  const files = await openFileStorage(config)
  const problem = await findWriteProblem(files)
  if (problem !== undefined) return [failed(subject, `files cannot be stored: ${problem}`)]
  const sql = openSql(config.DATABASE_URL, 1)
  // Whose files they are cannot be said without the database; that it is away is said there.
  const identity = await loadIdentity(sql).catch(() => undefined)
  await sql.end({ timeout: 1 })
  const foreign = identity === undefined ? undefined : await findForeignFiles(config, files, identity)
  const space = await files.readSpace()
  const little = findSpaceWarning(describeFiles(config), space)
  const temporary = findSpaceWarning(`TMPDIR (${tmpdir()})`, await readDiskSpace(tmpdir()))
  return [
    foreign === undefined
      ? ok(subject, `files can be stored${space === undefined ? '' : `, ${toGibibytes(space.free)} GiB are free`}`)
      : splitSentence('failed', foreign),
    ...[little, temporary].flatMap((sentence) => (sentence === undefined ? [] : [splitSentence('warning', sentence)])),
  ]
}

const toGibibytes = (bytes: number): string => (bytes / 1024 ** 3).toFixed(1)

/** The mail server: its login, and a mail if an address is given. */
export const checkMail = async (config: Config, recipient: string | undefined): Promise<Finding[]> => {
  const { SMTP_URL, MAIL_OUTBOX } = config
  if (SMTP_URL === undefined) {
    const text = `without it, mails are written to the folder ${MAIL_OUTBOX}, and nobody receives them.`
    return [warning('SMTP_URL', text)]
  }
  const problem = await verifyMail(config, recipient)
  if (problem !== undefined) return [failed('SMTP_URL', problem)]
  return [
    ok('SMTP_URL', recipient === undefined ? 'the mail server accepts the login' : `a mail to ${recipient} was sent`),
  ]
}
