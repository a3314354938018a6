/** The server of a driver of Postgres without a server: a stream with its answers ready. */
import { Duplex } from 'node:stream'

/** A message of the server. Source: PostgreSQL documentation, "Message Formats". */
export const message = (type: string, body = ''): Buffer => {
  const bytes = Buffer.alloc(5 + body.length)
  bytes.write(`${type}\0\0\0\0${body}`, 'latin1')
  bytes.writeUInt32BE(4 + body.length, 1)
  return bytes
}

/** What a server answers to the first message of a connection. */
export const greeting: readonly Buffer[] = [message('R', '\0\0\0\0'), message('Z', 'I')]

/** Opens connections on which each message gets the next of these answers. */
export const openScriptedServer = (answers: readonly (readonly Buffer[])[]) => {
  const connections: { stream: Duplex; sent: string[] }[] = []
  const open = async (): Promise<Duplex> => {
    const sent: string[] = []
    const stream = new Duplex({
      read() {},
      write(bytes: Buffer, _encoding, callback) {
        callback()
        const answer = answers[sent.push(bytes.toString('latin1')) - 1] ?? []
        // The driver does not expect an answer before it has returned from sending.
        setImmediate(() => stream.push(Buffer.concat(answer)))
      },
    })
    connections.push({ stream, sent })
    return stream
  }
  return { open, connections }
}
