import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Failure } from './failure.js'

/** Finds a port of this machine on which no program listens at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/**
 * Checks that the ports are free, before gateways are started on them. Throws a Failure that names the port and says
 * what to do.
 */
export async function requireFreePorts(host: string, ports: readonly number[]): Promise<void> {
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
        throw new Failure(`Port ${port} needs root. Use a port above 1023: npm start -- --port 9991`)
      throw error
    }
    server.close()
    await once(server, 'close')
  }
}
