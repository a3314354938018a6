/**
 * A proxy between a process and Postgres that records the statements of the process.
 *
 * It decodes the messages of the client that this needs. A message is a letter, a length and a body: `P` prepares a
 * statement under a name, `B` binds a portal to a name, `E` executes the last portal, and `Q` is a simple query. The
 * first message of a connection has no letter.
 * Source: PostgreSQL documentation, chapter "Frontend/Backend Protocol", message formats.
 */
import { connect, createServer, type Socket } from 'node:net'

export interface CountingProxy extends AsyncDisposable {
  /** The same database through the proxy. */
  url: string
  /**
   * The statements that were carried out so far, with single spaces. Those are left out by which a gateway watches its
   * pool (store/overload.ts): they come with time, and not with calls.
   */
  statements(): readonly string[]
}

const WATCH = 'select 1'

/** Starts the proxy. */
export const countingProxy = async (database_url: string): Promise<CountingProxy> => {
  const target = new URL(database_url)
  const carriedOut: string[] = []
  const record = (statement: string) => {
    if (statement !== WATCH) carriedOut.push(statement)
  }
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname)
    const prepared = new Map<string, string>()
    let bound = ''
    const see = messagesOf((letter, body) => {
      const [first = '', second = ''] = body.toString().split('\0', 2)
      if (letter === 'P') prepared.set(first, second)
      else if (letter === 'B') bound = prepared.get(second) ?? ''
      else if (letter === 'E') record(bound.replace(/\s+/g, ' ').trim())
      else if (letter === 'Q') record(first)
    })
    client.on('data', (bytes) => {
      see(bytes)
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => void client.write(bytes))
    for (const [one, other] of [[client, upstream] as const, [upstream, client] as const]) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(database_url)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as { port: number }).port)
  return {
    url: url.href,
    statements: () => carriedOut,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Splits a byte stream into messages. */
const messagesOf = (show: (letter: string, body: Buffer) => void): ((bytes: Buffer) => void) => {
  let kept = Buffer.alloc(0)
  let hasBegun = false
  return (bytes) => {
    kept = Buffer.concat([kept, bytes])
    for (;;) {
      const head = hasBegun ? 1 : 0
      if (kept.length < head + 4) return
      const length = head + kept.readUInt32BE(head)
      if (kept.length < length) return
      if (hasBegun) show(String.fromCharCode(kept[0] ?? 0), kept.subarray(head + 4, length))
      hasBegun = true
      kept = kept.subarray(length)
    }
  }
}
