/**
 * Whose address a request comes from, where a proxy may stand between.
 *
 * Anybody can write an X-Forwarded-For, so it counts only as far as proxies wrote it that are trusted: from its end,
 * past all trusted ones, to the first that is not. Proxies append to it, or add a line of their own; so all lines are
 * read, in order. X-Real-IP counts where a trusted proxy sent no X-Forwarded-For.
 */
import { BlockList, isIP } from 'node:net'

export interface ForwardedHeaders {
  /** all lines of X-Forwarded-For, in order */
  forwardedFor: readonly string[]
  realIp: string
}

/** The address of the client, given the peer's. */
export type FindClientAddress = (peer: string, forwarded: ForwardedHeaders) => string

/** @param trusted addresses and networks (`10.0.0.0/8`) whose word counts */
export const clientAddressFinder = (trusted: readonly string[]): FindClientAddress => {
  const list = new BlockList()
  for (const each of trusted) {
    const [address = '', bits] = each.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  const isTrusted = (address: string) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  return (rawPeer, { forwardedFor, realIp }) => {
    const peer = normalizeAddress(rawPeer)
    if (isIP(peer) === 0 || !isTrusted(peer)) return peer
    const hops = forwardedFor.flatMap((line) => line.split(',')).map((hop) => normalizeAddress(hop.trim()))
    if (hops.length === 0) {
      const real = normalizeAddress(realIp.trim())
      return isIP(real) === 0 ? peer : real
    }
    let nearest = peer
    for (const hop of hops.reverse()) {
      // What is no address was not written by a proxy that can be trusted with more.
      if (isIP(hop) === 0) break
      nearest = hop
      if (!isTrusted(hop)) break
    }
    return nearest
  }
}

/** Whether a text is an address or a network. */
export const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32))
}

/** Without brackets, port and zone; an IPv4 address that came as IPv6 as what it is. */
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

/** What is counted as one caller: an IPv4 address, or the network of an IPv6 address, of which one holder has all. */
export const callerNetwork = (raw: string): string => {
  const address = normalizeAddress(raw)
  if (isIP(address) !== 6) return address
  return `${parseGroups(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::`
}

/** The eight groups of an IPv6 address. */
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
