/** Which IP addresses are those of this machine. */
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Whether an address is this machine's. All that begin with 127 are, though only one has an interface. */
export const isOwnAddress = (address: string): boolean => {
  if (/^(?:127\.|0\.0\.0\.0$|::$|::1$)/.test(address)) return true
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  return isIP(address) !== 0 && own.some((one) => one.address === address.split('%')[0])
}
