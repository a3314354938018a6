/** Why a process cannot listen, by the variable that has to be changed. */
import { lookup } from 'node:dns/promises'
import { isOwnAddress } from './own-addresses.js'

/** An address on which a process should listen, and the names of its variables. */
export interface ListenAddress {
  hostVariable: 'HOST' | 'OPERATIONS_HOST'
  host: string
  portVariable: 'PORT' | 'OPERATIONS_PORT'
  port: number
}

/** Explains why listening failed, as a sentence. @param code what the system said, if it said anything */
export const explainListening = async (
  { hostVariable, host, portVariable, port }: ListenAddress,
  code?: string,
): Promise<string> => {
  const address = `Cannot listen on ${host}:${port}.`
  const found = await lookup(host.replace(/^\[|\]$/g, ''), { all: true }).catch(() => [])
  if (found.length === 0) {
    return `${address} ${hostVariable}: there is no host named ${host}. Set an address of this machine, or 0.0.0.0 for all.`
  }
  if (!found.some((one) => isOwnAddress(one.address))) {
    return `${address} ${hostVariable}: ${host} is no address of this machine. Set one of them, or 0.0.0.0 for all.`
  }
  if (port > 0 && port < 1024 && code !== 'EADDRINUSE' && process.getuid?.() !== 0) {
    return `${address} ${portVariable}: ports below 1024 may need a right that this account lacks, or another process uses the port.`
  }
  return `${address} ${portVariable}: check whether another process uses the port, and choose another one.`
}
