/**
 * Stands between a process and Postgres, and counts what the process asks.
 *
 * Of the wire protocol it knows what counting needs: a message of a client is a letter, a length and a body; `E`
 * executes a prepared statement and `Q` a plain text. The first message of a connection has no letter.
 * Source: PostgreSQL documentation, chapter "Frontend/Backend Protocol", message formats.
 */
import { connect, createServer, type Socket } from 'node:net'

export interface CountingProxy extends AsyncDisposable {
  /** The same database through the proxy. */
  url: string
  /** Statements that were carried out so far. */
  statements(): number
}

export const countingProxy = async (database_url: string): Promise<CountingProxy> => {
  const target = new URL(database_url)
  let count = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname)
    const see = messagesOf((letter) => {
      if (letter === 'E' || letter === 'Q') count += 1
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
    statements: () => count,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Shows the letters of messages, however their bytes are cut. */
const messagesOf = (show: (letter: string) => void): ((bytes: Buffer) => void) => {
  let kept = Buffer.alloc(0)
  let hasBegun = false
  return (bytes) => {
    kept = Buffer.concat([kept, bytes])
    for (;;) {
      const head = hasBegun ? 1 : 0
      if (kept.length < head + 4) return
      const length = head + kept.readUInt32BE(head)
      if (kept.length < length) return
      if (hasBegun) show(String.fromCharCode(kept[0] ?? 0))
      hasBegun = true
      kept = kept.subarray(length)
    }
  }
}
