/**
 * Which addresses a server may call that a stranger names.
 *
 * Whoever makes a bot names the address of its server. It must not lead to what only this machine or its neighbours
 * may reach: the database, a cloud's metadata, a router. So nothing is called but what is public, and what the
 * deployment allows. Source: IANA's registries of special-purpose addresses (RFC 6890).
 */
import { BlockList, isIP } from 'node:net'

/** What is not public of IPv4. */
const specialIpv4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
]

/** What is not public within 2000::/3, outside of which nothing of IPv6 is: tunnels lead to IPv4 addresses. */
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const blockList = (networks: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  return list
}

const privateIpv4 = blockList(specialIpv4)
const publicIpv6 = blockList(['2000::/3'])
const privateIpv6 = blockList(specialIpv6)

/** Whether an address may be called. @param allowed networks that may be called although they are private */
export const callableAddressCheck = (allowed: readonly string[]): ((address: string) => boolean) => {
  const exceptions = blockList(allowed)
  return (address) => {
    const version = isIP(address)
    if (version === 0) return false
    const family = version === 6 ? 'ipv6' : 'ipv4'
    if (exceptions.check(address, family)) return true
    return family === 'ipv4'
      ? !privateIpv4.check(address, family)
      : publicIpv6.check(address, family) && !privateIpv6.check(address, family)
  }
}
