/** A SAML provider that a test scripts: it signs what the test wants, also what no honest one would. */
import { execFileSync } from 'node:child_process'
import { createSign, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { signXml } from '@node-saml/node-saml/lib/xml.js'
import { inject } from 'vitest'
import { portOf } from '../processes/gateway-of-one-test.js'
import { anyGateway } from '../realm/realm.js'
import { type RawResponse, sendRequest } from '../requests/raw-request.js'

/** A key with its certificate, in PEM. */
export interface SamlKey {
  key: string
  certificate: string
}

let count = 0

/** Makes a key of these bits. */
export const makeSamlKey = (bits = 2_048): SamlKey => {
  const folder = join(inject('log_folder'), `saml-key-of-test-${process.pid}-${++count}`)
  mkdirSync(folder, { recursive: true })
  const given = ['req', '-x509', '-newkey', `rsa:${bits}`, '-nodes', '-days', '2', '-subj', '/CN=saml']
  execFileSync('openssl', [...given, '-keyout', 'key.pem', '-out', 'cert.pem'], { cwd: folder, stdio: 'pipe' })
  const [key, certificate] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(folder, name), 'utf8')) as [
    string,
    string,
  ]
  return { key, certificate }
}

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion'
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'

/** The entity id of all providers of tests. */
export const SAML_ISSUER = 'https://idp.example.com/saml'

/** What an assertion says, where it differs from that of an honest provider. */
export interface SamlScript {
  id?: string
  issuer?: string
  name_id?: string
  format?: string
  audience?: string
  recipient?: string
  method?: string
  /** '': the assertion names none */
  in_response_to?: string
  session_index?: string
  attributes?: Record<string, string>
  /** seconds from now */
  begins?: number
  ends?: number
  issued?: number
}

/** A log-in that has begun. */
export interface BegunSaml {
  host: string
  path: string
  cookie: string
  location: URL
  /** the request to the provider, in XML */
  request: string
  request_id: string
  acs: string
  entity_id: string
}

const instant = (seconds = 0) => new Date(Date.now() + seconds * 1000).toISOString()

/** A new identifier of a message or an assertion. */
export const newId = () => `_${randomBytes(16).toString('hex')}`

/** An assertion without a signature. */
export const composeAssertion = ({ request_id, acs, entity_id }: BegunSaml, script: SamlScript = {}): string => {
  const { id = newId(), issuer = SAML_ISSUER, name_id = 'ada', audience = entity_id, recipient = acs } = script
  const { format = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent', in_response_to = request_id } = script
  const { attributes = { email: 'ada@example.com', displayName: 'Ada' }, begins = -10, ends = 300, issued = 0 } = script
  const { method = 'urn:oasis:names:tc:SAML:2.0:cm:bearer', session_index = 'session-1' } = script
  const answers = in_response_to === '' ? '' : ` InResponseTo="${in_response_to}"`
  const given = Object.entries(attributes).map(
    ([name, value]) =>
      `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
  )
  return (
    `<saml:Assertion xmlns:saml="${ASSERTION}" ID="${id}" Version="2.0" IssueInstant="${instant(issued)}">` +
    `<saml:Issuer>${issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${format}">${name_id}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="${method}"><saml:SubjectConfirmationData NotOnOrAfter="${instant(ends)}" ` +
    `Recipient="${recipient}"${answers}/></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${instant(begins)}" NotOnOrAfter="${instant(ends)}"><saml:AudienceRestriction>` +
    `<saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${instant()}" SessionIndex="${session_index}"><saml:AuthnContext>` +
    `<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>` +
    `</saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${given.join('')}</saml:AttributeStatement>` +
    `</saml:Assertion>`
  )
}

/** The message around an assertion. */
export const composeResponse = (
  { acs, request_id }: BegunSaml,
  content: string,
  options: { id?: string; in_response_to?: string; status?: string; destination?: string } = {},
): string => {
  const { id = newId(), in_response_to = request_id, status = 'Success', destination = acs } = options
  const answers = in_response_to === '' ? '' : ` InResponseTo="${in_response_to}"`
  return (
    `<samlp:Response xmlns:samlp="${PROTOCOL}" ID="${id}" Version="2.0" IssueInstant="${instant()}" ` +
    `Destination="${destination}"${answers}><saml:Issuer xmlns:saml="${ASSERTION}">${SAML_ISSUER}</saml:Issuer>` +
    `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>` +
    `${content}</samlp:Response>`
  )
}

/** Signs the element of this name, in the document. The signature follows its issuer. */
export const signElement = (
  xml: string,
  name: 'Assertion' | 'Response' | 'LogoutRequest',
  { key, certificate }: SamlKey,
  algorithm: 'sha1' | 'sha256' | 'sha512' = 'sha256',
): string => {
  const path = `//*[local-name(.)="${name}"]`
  const location = { reference: `${path}/*[local-name(.)="Issuer"]`, action: 'after' } as const
  return signXml(xml, path, location, {
    privateKey: key,
    publicCert: certificate,
    signatureAlgorithm: algorithm,
    digestAlgorithm: algorithm,
  })
}

/** The signature in a document, and the document without it. */
export const takeSignature = (xml: string): { signature: string; rest: string } => {
  const found = /<Signature xmlns="http:\/\/www\.w3\.org\/2000\/09\/xmldsig#">.*?<\/Signature>/s.exec(xml)
  if (found === null) throw new Error(`there is no signature: ${SIGNATURE}`)
  return { signature: found[0], rest: xml.replace(found[0], '') }
}

/** An honest answer to a log-in, with a signed assertion. */
export const composeAnswer = (begun: BegunSaml, key: SamlKey, script: SamlScript = {}): string =>
  signElement(
    composeResponse(begun, composeAssertion(begun, script), {
      ...(script.in_response_to !== undefined && { in_response_to: script.in_response_to }),
    }),
    'Assertion',
    key,
  )

/** Metadata of a provider with these certificates. */
export const composeMetadata = (certificates: readonly string[], at: string): string => {
  const keys = certificates.map(
    (pem) =>
      `<KeyDescriptor use="signing"><KeyInfo xmlns="${SIGNATURE}"><X509Data><X509Certificate>` +
      `${pem.replace(/-----[^-]+-----|\s/g, '')}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>`,
  )
  const service = (name: string, path: string) =>
    `<${name} Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${at}${path}"/>`
  return (
    `<?xml version="1.0"?><!-- of a test --><EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" ` +
    `entityID="${SAML_ISSUER}"><IDPSSODescriptor protocolSupportEnumeration="${PROTOCOL}">${keys.join('')}` +
    `${service('SingleLogoutService', '/slo')}${service('SingleSignOnService', '/sso')}` +
    `</IDPSSODescriptor></EntityDescriptor>`
  )
}

const readCookie = ({ headers }: RawResponse, name: string): string =>
  (headers['set-cookie'] ?? []).find((line) => line.startsWith(`${name}=`))?.split(';')[0] ?? ''

const accept = { Accept: 'application/json' }

/** A message that an address carries. */
export const inflateMessage = (input: string): string => inflateRawSync(Buffer.from(input, 'base64')).toString()

/** Begins a log-in. @param query such as `?next=/` */
export const beginSaml = async (host: string, method: number | string, query = ''): Promise<BegunSaml> => {
  const path = `/accounts/login/external/${method}`
  const begun = await sendRequest(portOf(anyGateway()), { path: `${path}${query}`, host, headers: accept })
  if (begun.status !== 302) throw new Error(`${begun.status} ${begun.text}`)
  const location = new URL(begun.headers.location ?? '')
  const request = inflateMessage(location.searchParams.get('SAMLRequest') ?? '')
  const read = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(request)?.[1] ?? ''
  const acs = read('AssertionConsumerServiceURL')
  const entity_id = acs.replace(/acs$/, 'metadata')
  const cookie = readCookie(begun, 'parley_log_in')
  return { host, path, cookie, location, request, request_id: read(' ID'), acs, entity_id }
}

/** Posts an answer as the form of the provider does: without a cookie. */
export const postAnswer = (
  { host, path, location }: BegunSaml,
  xml: string,
  options: { url?: string; relay_state?: string; cookie?: string } = {},
): Promise<RawResponse> =>
  sendRequest(portOf(options.url ?? anyGateway()), {
    method: 'POST',
    path: `${path}/acs`,
    host,
    headers: { ...accept, Origin: 'https://idp.example.com', Cookie: options.cookie ?? '' },
    body: new URLSearchParams({
      SAMLResponse: Buffer.from(xml).toString('base64'),
      RelayState: options.relay_state ?? location.searchParams.get('RelayState') ?? '',
    }).toString(),
  })

/** Posts an answer, and follows where it leads with the cookie of the log-in. */
export const finishSaml = async (
  begun: BegunSaml,
  xml: string,
  options: { url?: string; relay_state?: string; cookie?: string } = {},
): Promise<RawResponse> => {
  const { cookie = begun.cookie, ...posted } = options
  const answer = await postAnswer(begun, xml, posted)
  return answer.status === 303 ? followAnswer(begun, answer, cookie) : answer
}

/** Opens the address to which the answer of a form leads. */
export const followAnswer = ({ host }: BegunSaml, { headers }: RawResponse, cookie: string): Promise<RawResponse> => {
  const { pathname, search } = new URL(headers.location ?? '')
  return sendRequest(portOf(anyGateway()), {
    path: `${pathname}${search}`,
    host,
    headers: { ...accept, Cookie: cookie },
  })
}

/** A request of the provider to log out. */
export const composeLogOut = (
  destination: string,
  script: { name_id?: string; session_index?: string; issued?: number; issuer?: string } = {},
): string => {
  const { name_id = 'ada', session_index, issued = 0, issuer = SAML_ISSUER } = script
  const index = session_index === undefined ? '' : `<samlp:SessionIndex>${session_index}</samlp:SessionIndex>`
  return (
    `<samlp:LogoutRequest xmlns:samlp="${PROTOCOL}" ID="${newId()}" Version="2.0" IssueInstant="${instant(issued)}" ` +
    `Destination="${destination}"><saml:Issuer xmlns:saml="${ASSERTION}">${issuer}</saml:Issuer>` +
    `<saml:NameID xmlns:saml="${ASSERTION}">${name_id}</saml:NameID>${index}</samlp:LogoutRequest>`
  )
}

/** The query with which a provider sends a message, signed. Its encoding is that of .NET, with small letters. */
export const signQuery = (xml: string, { key }: SamlKey, algorithm = 'sha256', relay_state = 'back'): string => {
  const encode = (text: string) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase())
  const uri = algorithm === 'sha1' ? `${SIGNATURE}rsa-sha1` : `http://www.w3.org/2001/04/xmldsig-more#rsa-${algorithm}`
  const message = deflateRawSync(Buffer.from(xml)).toString('base64')
  const signed = `SAMLRequest=${encode(message)}&RelayState=${encode(relay_state)}&SigAlg=${encode(uri)}`
  const signature = createSign(`RSA-${algorithm.toUpperCase()}`).update(signed).sign(key, 'base64')
  return `${signed}&Signature=${encode(signature)}`
}
