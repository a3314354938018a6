/**
 * Resolves host names that users provide.
 *
 * The lookup of the operating system (`dns.lookup`) occupies one of four threads of the process, which also read files,
 * compress and scale images. A name whose DNS server never answers would occupy a thread for many seconds, so four such
 * names would stop all of this.
 *
 * 1. The name servers are asked over the network, without a thread, for at most DNS_MS times DNS_TRIES.
 * 2. The operating system is asked only for names that the name servers do not know (names of /etc/hosts and of local
 *    domains), and for one name at a time.
 */
import { type LookupAddress, promises } from 'node:dns'
import { oneOwner } from '../../store/fairness/fair-queue.js'
import { openFairQueue } from '../../store/fairness/fair-queues.js'

const DNS_MS = 2_000
const DNS_TRIES = 2

/** Resolves a host name. Throws an Error when it has no address. */
export type LookupHost = (host: string) => Promise<LookupAddress[]>

/** @param servers the name servers; undefined: those of the operating system */
export const openHostLookup = (servers?: readonly string[]): LookupHost => {
  const resolver = new promises.Resolver({ timeout: DNS_MS, tries: DNS_TRIES })
  if (servers !== undefined) resolver.setServers(servers)
  const lookups = openFairQueue('host_lookups')
  const askSystem: LookupHost = (host) =>
    lookups.run(oneOwner, () => promises.lookup(host, { all: true, verbatim: true }))

  return async (host) => {
    if (isLocalName(host)) return askSystem(host)
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const found = [...addressesOf(four, 4), ...addressesOf(six, 6)]
    if (found.length > 0) return found
    const failure = [four, six].find((answer) => answer.status === 'rejected' && !isAbsence(answer.reason))
    if (failure?.status === 'rejected') throw failure.reason
    return askSystem(host)
  }
}

/** A name that no server of the internet can answer. */
const isLocalName = (host: string): boolean => !host.replace(/\.$/, '').includes('.') || /\.localhost\.?$/i.test(host)

const addressesOf = (answer: PromiseSettledResult<string[]>, family: number): LookupAddress[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []

/** Whether the error says that there is no such name or address, or that there is no name server to ask. */
const isAbsence = (error: NodeJS.ErrnoException): boolean =>
  ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'].includes(error.code ?? '')
