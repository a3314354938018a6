/** Checks of the way from clients to a gateway: the public address, its certificate, and what proxies say. */
import { connect } from 'node:tls'
import type { Config } from '../../config/config.js'
import { proxyMatcher } from '../../domain/net/client-address.js'
import { checkClock, type Finding, failed, ok, warning } from './finding.js'

/** The page on which a gateway says what it knows of a request (gateway/site/pages.ts). */
const PAGE = '/api/v1/connection.json'
/** An address that no client has (RFC 5737). */
const INVENTED = '192.0.2.77'
const PATIENCE_MS = 8_000
const DAY_MS = 86_400_000
/** Certificates are renewed a month before their end as a rule. */
const FEW_DAYS = 14

interface Seen {
  address: string
  is_secure: boolean
}

/** Calls a gateway as clients do. */
export const checkPublicAddress = async (config: Config): Promise<Finding[]> => {
  const { PUBLIC_URL, HOST, PORT } = config
  const isKnown = PUBLIC_URL !== undefined
  const url = new URL(PUBLIC_URL ?? `http://${HOST === '0.0.0.0' ? '127.0.0.1' : HOST}:${PORT}`)
  const began = Date.now()
  const plain = await ask(url, {})
  if (typeof plain === 'string') {
    return [
      failed(
        'PUBLIC_URL',
        `${url.origin} does not lead to a gateway: ${plain}. Start the load balancer and a gateway, or change the variable.`,
      ),
    ]
  }
  const forged = await ask(url, { 'X-Forwarded-For': INVENTED, 'X-Forwarded-Proto': 'http' })
  const date = Date.parse(plain.date)
  return [
    isKnown
      ? ok('PUBLIC_URL', `${url.origin} leads to a gateway`)
      : warning(
          'PUBLIC_URL',
          `it is not set, so links in mails begin with ${url.origin}: set the address that users open.`,
        ),
    ...judgeProxies(config, url, plain.seen, typeof forged === 'string' ? undefined : forged.seen),
    ...(url.protocol === 'https:' ? await checkCertificate(url) : []),
    // The header has whole seconds.
    ...(Number.isNaN(date) ? [] : [checkClock('the gateway', date + 500, began)]),
  ]
}

/** Asks what a gateway sees. @returns a text when no gateway answers */
const ask = async (url: URL, headers: Record<string, string>): Promise<{ seen: Seen; date: string } | string> => {
  try {
    const response = await fetch(new URL(PAGE, url), {
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const text = await response.text()
    if (response.status !== 200) return `GET ${PAGE} is answered with ${response.status}`
    const seen = JSON.parse(text) as Seen
    if (typeof seen.address !== 'string') return `GET ${PAGE} is answered by another program`
    return { seen, date: response.headers.get('date') ?? '' }
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error & { code?: string } }
    return cause === undefined ? message : cause.message || String(cause.code)
  }
}

/** What the gateway believes of a proxy, and of a client that pretends to be one. */
export const judgeProxies = (
  { TRUSTED_PROXIES }: Config,
  { protocol }: URL,
  { address, is_secure }: Seen,
  forged: Seen | undefined,
): Finding[] => {
  const subject = 'TRUSTED_PROXIES'
  const isTrusted = proxyMatcher(TRUSTED_PROXIES)
  if (protocol === 'https:' && !is_secure) {
    return [
      failed(
        subject,
        `the gateway takes requests over TLS for requests without, and ${address} for the address of the client. Name the` +
          ' address of the proxy there, and let it set X-Forwarded-For and X-Forwarded-Proto: deploy/nginx.conf does.',
      ),
    ]
  }
  if (forged?.address === INVENTED) {
    return isTrusted(address)
      ? [warning(subject, `this machine (${address}) is one of them itself. Run this check from another one, too.`)]
      : [
          failed(
            subject,
            'a client can choose the address that it is counted by: the proxy passes its X-Forwarded-For on. Let it append the' +
              ' address of the client, as deploy/nginx.conf does.',
          ),
        ]
  }
  return [ok(subject, `the gateway sees ${address} as the address of this machine`)]
}

const checkCertificate = (url: URL): Promise<Finding[]> =>
  new Promise((resolve) => {
    const socket = connect({ host: url.hostname, port: Number(url.port || 443), servername: url.hostname }, () => {
      const end = Date.parse(socket.getPeerCertificate().valid_to)
      const days = Math.floor((end - Date.now()) / DAY_MS)
      socket.destroy()
      const text = `the certificate is valid for ${days} days`
      resolve([days < FEW_DAYS ? warning('TLS', `${text}: renew it.`) : ok('TLS', text)])
    })
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('no answer')))
    socket.once('error', ({ message }) => resolve([failed('TLS', message)]))
  })
