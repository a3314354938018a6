/**
 * Whether the patches of objects inside of the driver have their effect, asked without a server when a process starts.
 *
 * 1. A pool talks over a stream of this process, whose other end has its answers ready: one for each of its messages.
 *    It runs a statement, prepares it again, and loses its connection during a transaction.
 * 2. What a patch needs of each object, it checks itself (internals.ts). Names that only the driver writes cannot be
 *    checked there: if it marked a repeated statement in another way, the patch would never be called.
 */
import { Duplex } from 'node:stream'
import { openDriver, type Sql } from './driver.js'
import { ChangedDriverError } from './internals.js'

/** Milliseconds after which a driver that does not go on with the conversation counts as another one. */
const LIMIT_MS = 5_000

/** A message of the server. Source: PostgreSQL documentation, "Message Formats". */
const message = (type: string, body = ''): Buffer => {
  const bytes = Buffer.alloc(5 + body.length)
  bytes.write(`${type}\0\0\0\0${body}`, 'latin1')
  bytes.writeUInt32BE(4 + body.length, 1)
  return bytes
}

const ready = message('Z', 'I')
/** ParseComplete, ParameterDescription, NoData, BindComplete, CommandComplete */
const executed = [message('1'), message('t', '\0\0'), message('n'), message('2'), message('C', 'SELECT 0\0'), ready]
const lost = message('E', 'SERROR\0VERROR\0C26000\0Mno such statement\0RFetchPreparedStatement\0\0')

/** What the server answers to the start, a statement, the same again, its repetition and `begin`. */
const answers = [
  [message('R', '\0\0\0\0'), ready],
  executed,
  [lost, ready],
  executed,
  [message('C', 'BEGIN\0'), message('Z', 'T')],
].map((messages) => Buffer.concat(messages))

/** Runs the conversation (1). Throws ChangedDriverError. */
const talk = async (sql: Sql, sent: readonly Buffer[], loseConnection: () => void): Promise<void> => {
  const ask = () => sql`select`
  await ask()
  await ask()
  // Parse, the length of the message, and the empty name of a statement that is not prepared.
  const [type, name] = [sent[3]?.[0], sent[3]?.[5]]
  if (type !== 'P'.charCodeAt(0) || name !== 0) throw new ChangedDriverError('it repeats lost statements by itself')
  let isSent = true
  const outcome = sql.begin(async (tx) => {
    loseConnection()
    await outcome.catch(() => {})
    try {
      void tx`select`
    } catch {
      isSent = false
    }
    // A driver without the patch would send `commit` now, and end the process.
    await new Promise(() => {})
  })
  const error = await outcome.then(
    () => undefined,
    (reason: NodeJS.ErrnoException) => reason,
  )
  // The function of the transaction goes on after this one.
  await new Promise((resolve) => setImmediate(resolve))
  if (error?.code !== 'CONNECTION_CLOSED' || isSent)
    throw new ChangedDriverError('a transaction does not end together with its connection')
}

/** Finds out why a driver must not be used (1-2). Returns a sentence, or undefined if it can be used. */
export const checkDriver = async (openPool: typeof openDriver): Promise<string | undefined> => {
  const sent: Buffer[] = []
  const stream = new Duplex({
    read() {},
    write(bytes: Buffer, _encoding, callback) {
      callback()
      const answer = answers[sent.push(bytes) - 1]
      // The driver does not expect an answer before it has returned from sending.
      setImmediate(() => stream.push(answer))
    },
  })
  let timer: NodeJS.Timeout | undefined
  try {
    const sql = openPool('postgres://driver@check/none', { max: 1, parameters: {}, open: async () => stream })
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ChangedDriverError('it sends other messages')), LIMIT_MS)
    })
    try {
      await Promise.race([talk(sql, sent, () => stream.destroy()), limit])
    } finally {
      await sql.end({ timeout: 0 })
    }
    return undefined
  } catch (error) {
    if (error instanceof ChangedDriverError) return error.message
    return new ChangedDriverError(`it fails with ${error}`).message
  } finally {
    clearTimeout(timer)
  }
}

let answer: Promise<string | undefined> | undefined

/** Checks the driver of this process, once. */
export const findDriverProblem = (): Promise<string | undefined> => {
  answer ??= checkDriver(openDriver)
  return answer
}
