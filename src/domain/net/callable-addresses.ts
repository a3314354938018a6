/**
 * Decides which addresses the server can call when a user chose the URL (protection against SSRF).
 *
 * The owner of an outgoing webhook bot chooses the URL of its server, and messages contain URLs of pages to preview.
 * Such a URL must not lead to what only this machine or its network can reach: the database, the metadata of a cloud, a
 * router. So the server calls public addresses only, and the networks that the deployment allows.
 * Source: IANA's registries of special-purpose addresses (RFC 6890).
 */
import { BlockList, isIP } from 'node:net'

/** The IPv4 networks that are not public. */
const specialIpv4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
]

/** The IPv6 networks within 2000::/3 that are not public, or that tunnel to IPv4. Outside 2000::/3 none is public. */
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

/**
 * Builds a function that decides whether an IP address can be called.
 * @param allowed private networks that can be called too
 */
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
