/** The metadata of SAML providers, their certificates, and the key of this server. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { SamlDescription } from '../../domain/log-in/saml-options.js'
import { childElements, readDocument, selectAll, type XmlElement } from './saml-documents.js'

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata'
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

/** Characters of metadata. */
export const LONGEST_METADATA = 256 * 1024
const SMALLEST_RSA_KEY = 2_048
const MAX_CERTIFICATES = 10

/** Where a provider is, and with which keys it signs, as its metadata say. Throws an Error. */
export const readMetadata = async (xml: string): Promise<SamlDescription> => {
  if (xml.length > LONGEST_METADATA) throw new Error('the metadata are too long')
  const root = await readDocument(removeComments(xml))
  if (root.namespaceURI !== METADATA || root.localName !== 'EntityDescriptor') throw new Error('there is no provider')
  const [role] = childElements(root).filter(({ localName }) => localName === 'IDPSSODescriptor')
  const issuer = root.getAttribute('entityID') ?? ''
  if (role === undefined || issuer === '') throw new Error('there is no provider')
  const certificates = childElements(role)
    .filter(({ localName }) => localName === 'KeyDescriptor')
    .filter((key) => ['', 'signing'].includes(key.getAttribute('use') ?? ''))
    .flatMap((key) => selectAll(key, 'X509Certificate'))
    .map(({ textContent }) => textContent?.replace(/\s/g, '') ?? '')
  const sso_url = findAddress(role, 'SingleSignOnService')
  if (sso_url === '' || certificates.length === 0) throw new Error('there is no address for log-in, or no certificate')
  const slo_url = findAddress(role, 'SingleLogoutService')
  return { issuer, sso_url, slo_url, certificates: [...new Set(certificates)].slice(0, MAX_CERTIFICATES) }
}

/** Some providers comment their metadata. */
const removeComments = (xml: string): string =>
  xml
    .split('<!--')
    .map((part, i) => (i === 0 ? part : part.slice(part.indexOf('-->') + '-->'.length)))
    .join('')

const findAddress = (role: XmlElement, name: string): string => {
  const found = childElements(role).find((one) => one.localName === name && one.getAttribute('Binding') === REDIRECT)
  const address = found?.getAttribute('Location') ?? ''
  return /^https?:\/\//.test(address) && URL.canParse(address) ? address : ''
}

/** A certificate in PEM. Its times do not count: providers use one until they replace it. Throws an Error. */
export const readCertificate = (input: string): string => {
  const text = input.includes('-----BEGIN')
    ? input
    : `-----BEGIN CERTIFICATE-----\n${input}\n-----END CERTIFICATE-----\n`
  const certificate = new X509Certificate(text)
  requireRsa(certificate.publicKey)
  return certificate.toString()
}

/** The key with which this server signs, and opens what is encrypted for it. */
export interface OwnKey {
  readonly privateKey: string
  readonly certificate: string
}

/**
 * Reads the key of this server: a private key and its certificate in PEM. Throws an Error when the text is another
 * one. @returns undefined for an empty text
 */
export const readOwnKey = (secret: string): OwnKey | undefined => {
  if (secret.trim() === '') return undefined
  const blocks = secret.match(/-----BEGIN [A-Z ]+-----[^-]+-----END [A-Z ]+-----/g) ?? []
  const [certificate] = blocks.filter((block) => block.includes('BEGIN CERTIFICATE'))
  const [key] = blocks.filter((block) => block.includes('PRIVATE KEY'))
  if (certificate === undefined || key === undefined) throw new Error('there is no key, or no certificate')
  const privateKey = createPrivateKey(key)
  const parsed = new X509Certificate(certificate)
  requireRsa(privateKey)
  if (!parsed.checkPrivateKey(privateKey)) throw new Error('the certificate is not that of the key')
  return {
    privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    certificate: parsed.toString(),
  }
}

const requireRsa = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): void => {
  if (asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < SMALLEST_RSA_KEY) {
    throw new Error('the key is no RSA key of 2048 bits')
  }
}
