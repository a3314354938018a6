/** Whether a SAML provider can be used: where it is, and with which keys it signs. */
import type { SamlDescription } from '../../domain/log-in/saml-options.js'
import { errors } from '../../domain/protocol/errors.js'
import type { Fetch } from '../../store/outgoing/outgoing-http.js'
import { readCertificate, readMetadata, readOwnKey } from './saml-metadata.js'

/** Refuses an address without TLS, unless such are allowed. Throws an Error. */
export const requireTls = (address: string, allowsPlain: boolean): string => {
  if (!allowsPlain && address !== '' && !address.startsWith('https:')) throw new Error('it is without TLS')
  return address
}

/** Reads the metadata at an address. Throws an Error, and OutgoingCallError. */
export const loadMetadata = async (fetch: Fetch, address: string): Promise<SamlDescription> => {
  const headers = { accept: 'application/samlmetadata+xml, */*' }
  const answer = await fetch(address, { method: 'GET', headers })
  if (answer.status !== 200) throw new Error(`the metadata answer with status ${answer.status}`)
  return readMetadata(await answer.text())
}

/** The description with its certificates in PEM. Throws an Error for one that cannot be used. */
export const requireComplete = (found: SamlDescription, issuer: string, allowsPlain: boolean): SamlDescription => {
  if (found.issuer !== issuer) throw new Error(`the metadata are those of ${found.issuer}`)
  if (found.sso_url === '' || found.certificates.length === 0) throw new Error('it has no address or no certificate')
  const [sso_url, slo_url] = [requireTls(found.sso_url, allowsPlain), requireTls(found.slo_url, allowsPlain)]
  return { issuer, sso_url, slo_url, certificates: found.certificates.map(readCertificate) }
}

/** Refuses a provider that cannot be used. Throws BAD_REQUEST. */
export const checkDescription = (
  { sso_url, slo_url, certificates }: { sso_url?: unknown; slo_url?: unknown; certificates?: unknown },
  allowsPlain: boolean,
): void => {
  if (typeof sso_url !== 'string' || sso_url === '' || !Array.isArray(certificates) || certificates.length === 0) {
    throw errors.badRequest('Enter the metadata of the provider, or its address for log-in and its certificate.')
  }
  try {
    for (const certificate of certificates) readCertificate(String(certificate))
  } catch {
    throw errors.badRequest(
      'The certificate of the provider must be X.509 in PEM, with an RSA key of 2048 bits or more.',
    )
  }
  try {
    for (const address of [sso_url, slo_url]) requireTls(typeof address === 'string' ? address : '', allowsPlain)
  } catch {
    throw errors.badRequest('The addresses of the provider must begin with https.')
  }
}

/** Refuses a key of this server that cannot be used. Throws BAD_REQUEST. */
export const checkOwnKey = (secret: string): void => {
  try {
    readOwnKey(secret)
  } catch {
    throw errors.badRequest(
      'The key of this server must be a private RSA key of 2048 bits or more and its certificate, both in PEM.',
    )
  }
}
