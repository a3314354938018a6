/**
 * Connections to directories: the only file that knows the library `ldapts`.
 *
 * 1. A connection is used for one piece of work and ends with it, at the latest after `limit_ms`: then its socket is
 *    destroyed, whatever the directory does.
 * 2. A client connects once. ldapts would connect again by itself, without StartTLS, and send a password in plain text.
 * 3. The certificate must be one of the authority of `ca_file` (or of the system), for the host of the address.
 * 4. Referrals are not followed: they would lead passwords to servers that the operator did not name.
 * 5. A process has at most MAX_OPEN connections to a directory. More are refused at once, so a directory that hangs
 *    holds little of the process.
 */
import { readFile } from 'node:fs/promises'
import { connect, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { Client, ResultCodeError } from 'ldapts'
import type { Directory } from '../../domain/log-in/directories.js'
import type { EntryValues } from '../../domain/log-in/directory-people.js'

/** What is searched. */
export interface DirectorySearch {
  readonly base_dn: string
  readonly filter: string
  readonly attributes: readonly string[]
  /** only the entry `base_dn` itself */
  readonly isOne?: boolean
}

/** A connection that is logged in as the operator set it up. */
export interface DirectorySession {
  /** Finds at most two entries: one is enough to know that a name is not unique. */
  findTwo(search: DirectorySearch): Promise<EntryValues[]>
  /** Reads all entries, in pages of this many. */
  readAll(search: DirectorySearch, page: number): AsyncGenerator<EntryValues[]>
  /**
   * Whether the directory accepts this password of an entry. The session can do nothing else afterwards.
   * An empty password never reaches the directory, which would accept it as an anonymous log-in.
   */
  acceptsPassword(dn: string, password: string): Promise<boolean>
}

/** A directory is away, hangs, cannot be trusted, or refused its own log-in. The message has no secret. */
export class DirectoryError extends Error {
  constructor(directory: Directory, cause: unknown) {
    super(`the directory ${directory.key} failed: ${describe(cause)}`, { cause })
    this.name = 'DirectoryError'
  }
}

const MAX_OPEN = 64

/** Attributes that are bytes and no text. */
const BYTES = ['objectGUID', 'jpegPhoto', 'thumbnailPhoto', 'photo']

/**
 * Result codes of a bind that say no to this person, and not that the directory has a fault: a constraint (a locked
 * account), no password, wrong credentials, no access, unwilling, and an entry that is gone.
 */
const REFUSALS: readonly number[] = [19, 48, 49, 50, 53, 32]

const openConnections = new Map<string, number>()

/** Runs a piece of work with a connection (1). Throws DirectoryError, and what the work throws. */
export const withDirectory = async <T>(
  directory: Directory,
  limit_ms: number,
  work: (session: DirectorySession) => Promise<T>,
): Promise<T> => {
  const open = openConnections.get(directory.key) ?? 0
  if (open >= MAX_OPEN) throw new DirectoryError(directory, new Error('too many connections wait for it'))
  openConnections.set(directory.key, open + 1)
  const sockets: Socket[] = []
  let expire: (error: Error) => void = () => {}
  const expired = new Promise<never>((_, reject) => {
    expire = reject
  })
  const timer = setTimeout(() => {
    expire(new DirectoryError(directory, new Error(`it did not answer within ${limit_ms} ms`)))
    for (const socket of sockets) socket.destroy()
  }, limit_ms)
  try {
    const working = connectTo(directory, sockets).then((client) => work(composeSession(directory, client)))
    working.catch(() => {})
    return await Promise.race([working, expired])
  } finally {
    clearTimeout(timer)
    expired.catch(() => {})
    for (const socket of sockets) socket.destroy()
    openConnections.set(directory.key, (openConnections.get(directory.key) ?? 1) - 1)
  }
}

const connectTo = async (directory: Directory, sockets: Socket[]): Promise<Client> => {
  try {
    const { url, security, bind_dn } = directory
    const { hostname } = new URL(url)
    const host = hostname.replace(/^\[|\]$/g, '')
    const tls: ConnectionOptions = {
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(directory.ca_file === undefined ? {} : { ca: await readFile(directory.ca_file) }),
    }
    const once = <S extends Socket>(socket: () => S): S => {
      if (sockets.length > 0) throw new Error('the connection was lost')
      const opened = socket()
      sockets.push(opened)
      return opened
    }
    const client = new Client({
      url,
      strictDN: false,
      ...(security === 'tls'
        ? {
            tlsOptions: tls,
            createSecureConnection: ((port: number) =>
              once(() => connectTls({ ...tls, port }))) as unknown as typeof connectTls,
          }
        : { createConnection: ((port: number) => once(() => connect(port, host))) as unknown as typeof connect }),
    })
    if (security === 'starttls') {
      await client.startTLS(tls)
    }
    if (bind_dn !== '') await client.bind(bind_dn, await readBindPassword(directory))
    return client
  } catch (error) {
    throw new DirectoryError(directory, error)
  }
}

/** Throws an Error for an empty file: a bind without a password would be anonymous. */
const readBindPassword = async ({ bind_password, bind_password_file }: Directory): Promise<string> => {
  if (bind_password_file === undefined) return bind_password
  const password = (await readFile(bind_password_file, 'utf8')).replace(/\r?\n$/, '')
  if (password === '') throw new Error('bind_password_file is empty')
  return password
}

const composeSession = (directory: Directory, client: Client): DirectorySession => {
  const run = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call()
    } catch (error) {
      throw new DirectoryError(directory, error)
    }
  }
  const composeOptions = ({ filter, attributes, isOne }: DirectorySearch) => ({
    filter,
    scope: isOne === true ? ('base' as const) : ('sub' as const),
    derefAliases: 'never' as const,
    attributes: [...attributes],
    explicitBufferAttributes: BYTES,
  })
  return {
    findTwo: (search) =>
      run(async () => {
        const found = await client.search(search.base_dn, { ...composeOptions(search), sizeLimit: 2 })
        return found.searchEntries.map(composeEntry)
      }),

    async *readAll(search, pageSize) {
      const pages = client.searchPaginated(search.base_dn, { ...composeOptions(search), paged: { pageSize } })
      for (;;) {
        const page = await run(() => pages.next())
        if (page.done === true) return
        yield page.value.searchEntries.map(composeEntry)
      }
    },

    async acceptsPassword(dn, password) {
      if (dn === '' || password === '') return false
      try {
        await client.bind(dn, password)
        return true
      } catch (error) {
        if (error instanceof ResultCodeError && REFUSALS.includes(error.code)) return false
        throw new DirectoryError(directory, error)
      }
    },
  }
}

const composeEntry = ({
  dn,
  ...attributes
}: { dn: string } & Record<string, string | string[] | Buffer | Buffer[]>): EntryValues => ({
  dn,
  values: new Map(
    Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value : [value]]),
  ),
})

const describe = (error: unknown): string => {
  const { name, message, code } = error as Error & { code?: string | number }
  const text = message.split('\n').at(-1) ?? ''
  return `${name}${code === undefined ? '' : ` ${code}`}: ${text}`.slice(0, 300)
}
