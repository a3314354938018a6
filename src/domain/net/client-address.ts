/**
 * Finds the IP address of the client behind trusted proxies.
 *
 * Any client can send an X-Forwarded-For header, so only the part that trusted proxies wrote is believed. The header is
 * read from its end: addresses of trusted proxies are skipped, and the first other address is the client. A proxy
 * appends to the header, or adds a header line, so all lines are read in order. No other header is believed: a proxy
 * that writes one header passes on the others as the client sent them.
 */
import { BlockList, isIP } from 'node:net'

/**
 * Returns the address of the client.
 * @param peer the address at the other end of the TCP connection
 * @param forwardedFor the values of all X-Forwarded-For header lines, in order
 */
export type FindClientAddress = (peer: string, forwardedFor: readonly string[]) => string

/** Addresses that are read from the header at most: more than there are proxies in a row. */
const MAX_HOPS = 32

/**
 * Builds the function that finds the client address of a request.
 * @param trusted addresses and networks (`10.0.0.0/8`) of trusted proxies
 */
export const clientAddressFinder = (trusted: readonly string[]): FindClientAddress => {
  const isTrusted = proxyMatcher(trusted)

  return (rawPeer, forwardedFor) => {
    let nearest = normalizeAddress(rawPeer)
    if (!isTrusted(nearest)) return nearest
    for (const text of lastHops(forwardedFor)) {
      const hop = normalizeAddress(text)
      // A trusted proxy writes addresses only. What precedes another value was not written by a trusted proxy.
      if (isIP(hop) === 0) break
      nearest = hop
      if (!isTrusted(hop)) break
    }
    return nearest
  }
}

/**
 * Builds the function that tells whether an address is that of a trusted proxy.
 * @param trusted addresses and networks (`10.0.0.0/8`)
 */
export const proxyMatcher = (trusted: readonly string[]): ((address: string) => boolean) => {
  const list = new BlockList()
  for (const each of trusted) {
    const [address = '', bits] = each.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  return (raw) => {
    const address = normalizeAddress(raw)
    const family = isIP(address)
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
}

/** The last addresses of the header lines, from the end. The rest of a long line is not read. */
function* lastHops(lines: readonly string[]): Iterable<string> {
  let count = 0
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] ?? ''
    for (let end = line.length; end >= 0; ) {
      if (count++ === MAX_HOPS) return
      const comma = end === 0 ? -1 : line.lastIndexOf(',', end - 1)
      yield line.slice(comma + 1, end).trim()
      end = comma
    }
  }
}

/** Whether a text is an IP address or a network in CIDR notation. */
export const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32))
}

/** Removes brackets, port and zone, and converts an IPv4-mapped IPv6 address to IPv4. */
const normalizeAddress = (text: string): string => {
  let address = text
  if (address.startsWith('[')) address = address.slice(1, address.indexOf(']'))
  else if (/^[\d.]+:\d+$/.test(address)) address = address.slice(0, address.indexOf(':'))
  const zone = address.indexOf('%')
  if (zone !== -1) address = address.slice(0, zone)
  if (isIP(address) !== 6) return address
  const groups = parseGroups(address)
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) return address
  const [high = 0, low = 0] = groups.slice(6)
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}

/** Whether an address is one of this machine. */
export const isLoopback = (raw: string): boolean => {
  const address = normalizeAddress(raw)
  return address.startsWith('127.') || (address.includes(':') && parseGroups(address).join() === '0,0,0,0,0,0,0,1')
}

/** Returns what rate limits count as one caller. It is an IPv4 address, or the /64 network of an IPv6 address. */
export const callerNetwork = (raw: string): string => {
  const address = normalizeAddress(raw)
  if (isIP(address) !== 6) return address
  return `${parseGroups(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::`
}

/** Returns the eight groups of an IPv6 address. */
const parseGroups = (address: string): number[] => {
  const [head = '', tail] = address.split('::')
  const numbers = (part: string): number[] =>
    part === ''
      ? []
      : part.split(':').flatMap((group) => {
          if (!group.includes('.')) return Number.parseInt(group, 16)
          const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
          return [(a << 8) | b, (c << 8) | d]
        })
  const first = numbers(head)
  const last = numbers(tail ?? '')
  const between = tail === undefined ? 0 : 8 - first.length - last.length
  return [...first, ...Array.from({ length: between }, () => 0), ...last]
}
