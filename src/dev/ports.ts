import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Failure } from './failure.js'

/** A port of this machine that nothing listened on a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/**
 * Asks for these ports before anything is started on them.
 * @throws Failure naming the port that is taken and what to do
 */
export async function requirePorts(host: string, ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    const server = createServer().listen(port, host)
    try {
      await once(server, 'listening')
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EADDRINUSE') {
        throw new Failure(
          `Port ${port} is taken by another program. Stop that program, or use other ports: npm start -- --port ${port + 100}`,
        )
      }
      if (code === 'EACCES')
        throw new Failure(`Port ${port} needs more rights than we have. Use one above 1023: npm start -- --port 9991`)
      throw error
    }
    server.close()
    await once(server, 'close')
  }
}
