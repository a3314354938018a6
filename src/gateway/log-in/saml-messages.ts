/** What messages of SAML providers must say beside their signatures: for whom, from when, and for which request. */
import { createHash } from 'node:crypto'
import type { Profile, SAML } from '@node-saml/node-saml'
import { z } from 'zod'
import { logInPath } from '../../domain/log-in/methods.js'
import type { SamlDescription } from '../../domain/log-in/saml-options.js'
import {
  decodePosted,
  decodeRedirected,
  readMessage,
  selectAll,
  signatureAlgorithms,
  type XmlElement,
} from './saml-documents.js'

/** The addresses of a method here. */
export interface ServiceUrls {
  /** the name of this server at the provider, and the address of its metadata */
  readonly metadata: string
  /** where the provider sends its answers (assertion consumer service) */
  readonly acs: string
  /** where it sends requests to log out, and the answers to them */
  readonly slo: string
}

/** The addresses of a method of the organization at `realm_url`. */
export const composeServiceUrls = (realm_url: string, key: string): ServiceUrls => {
  const below = `${realm_url}${logInPath(key)}`
  return { metadata: `${below}/metadata`, acs: `${below}/acs`, slo: `${below}/slo` }
}

/** Something that counts once. */
export interface UsedOnce {
  readonly token_hash: Uint8Array
  /** UNIX seconds after which it is refused without a record */
  readonly expires_at: number
}

/** The request of a provider to log out, as it was received: in an address, or in a form. */
export type LogOutMessage = { readonly query: string } | { readonly form: string; readonly relay_state: string }

/** The largest difference between the clocks of two servers, in milliseconds. */
export const SKEW_MS = 60_000
/** Seconds from an assertion to its use. */
export const MAX_AGE = 900
/** Characters of a name that is stored. */
const MAX_TEXT = 255

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/** What is read of an assertion, as the library parses it. */
const Assertion = z.object({
  $: z.object({ ID: z.string().min(1).max(MAX_TEXT) }),
  Issuer: z.tuple([z.looseObject({ _: z.string() })]),
  Subject: z.tuple([
    z.looseObject({
      SubjectConfirmation: z.array(
        z.looseObject({
          $: z.object({ Method: z.string() }),
          SubjectConfirmationData: z
            .tuple([
              z.looseObject({
                $: z.looseObject({
                  Recipient: z.string(),
                  NotOnOrAfter: z.string(),
                  NotBefore: z.string().optional(),
                  InResponseTo: z.string().max(MAX_TEXT).optional(),
                }),
              }),
            ])
            .optional()
            .catch(undefined),
        }),
      ),
    }),
  ]),
  AuthnStatement: z.array(z.unknown()).min(1),
})

/** Checks what the library leaves to its user of a verified assertion. Throws an Error. */
export const checkAssertion = (profile: Profile | null, { acs }: ServiceUrls, { issuer }: SamlDescription) => {
  if (profile === null) throw new Error('there is no assertion')
  const parsed = Assertion.parse((profile.getAssertion?.() as { Assertion?: unknown } | undefined)?.Assertion)
  if (parsed.Issuer[0]._.trim() !== issuer) throw new Error('the assertion is of another issuer')
  const now = Date.now()
  const confirmed = parsed.Subject[0].SubjectConfirmation.flatMap(({ $: { Method }, SubjectConfirmationData }) =>
    Method === BEARER && SubjectConfirmationData !== undefined ? [SubjectConfirmationData[0].$] : [],
  ).find(({ Recipient, NotOnOrAfter, NotBefore }) => {
    const isEarly = NotBefore !== undefined && !(Date.parse(NotBefore) - SKEW_MS <= now)
    return Recipient === acs && Date.parse(NotOnOrAfter) + SKEW_MS > now && !isEarly
  })
  if (confirmed === undefined) throw new Error('the assertion is for another recipient, or has expired')
  return {
    profile,
    in_response_to: confirmed.InResponseTo,
    used: composeUse(`assertion:${issuer}:${parsed.$.ID}`, now),
  }
}

/** What is remembered of a message, so that it counts once. @param from milliseconds at which it was issued */
export const composeUse = (name: string, from: number): UsedOnce => ({
  token_hash: createHash('sha256').update(`saml:${name}`).digest(),
  expires_at: Math.ceil((from + 2 * SKEW_MS) / 1000) + MAX_AGE,
})

/** Verifies the signature of a request to log out of its sender. Throws an Error. */
export const verifyLogOutMessage = async (library: SAML, message: LogOutMessage) => {
  if ('form' in message) {
    const xml = decodePosted(message.form)
    const root = await readMessage(xml, 'LogoutRequest')
    if (!selectAll(root, 'Signature').some(({ parentNode }) => parentNode === root)) throw new Error('it is not signed')
    const SAMLRequest = Buffer.from(xml).toString('base64')
    const { profile } = await library.validatePostRequestAsync({ SAMLRequest })
    if (profile === null) throw new Error('there is no request')
    return { profile, xml, relay_state: message.relay_state }
  }
  // The signature is one of the address as it was sent: of these members, in this order, encoded as they were.
  const members = message.query.split('&').map((member) => [member.slice(0, member.indexOf('=')), member] as const)
  const find = (name: string) => {
    const found = members.filter(([key]) => key === name)
    if (found.length > 1) throw new Error(`${name} is there twice`)
    return found[0]?.[1]
  }
  const value = (name: string) => {
    const member = find(name)
    return member && decodeURIComponent(member.slice(name.length + 1).replaceAll('+', ' '))
  }
  const [SAMLRequest, Signature, SigAlg] = [value('SAMLRequest'), value('Signature'), value('SigAlg')]
  if (SAMLRequest === undefined || Signature === undefined || SigAlg === undefined) throw new Error('it is not signed')
  if (!signatureAlgorithms.includes(SigAlg)) throw new Error(`the algorithm ${SigAlg} is refused`)
  const xml = decodeRedirected(SAMLRequest)
  await readMessage(xml, 'LogoutRequest')
  const signed = ['SAMLRequest', 'RelayState', 'SigAlg'].flatMap((name) => find(name) ?? []).join('&')
  const { profile } = await library.validateRedirectAsync({ SAMLRequest, Signature, SigAlg }, signed)
  if (profile === null) throw new Error('there is no request')
  return { profile, xml, relay_state: value('RelayState') ?? '' }
}

/** Refuses a message that was composed for another address. Throws an Error. */
export const requireDestination = (root: XmlElement, address: string): void => {
  const destination = root.getAttribute('Destination') ?? ''
  if (!['', address].includes(destination)) throw new Error(`the message is for the address ${destination}`)
}

/** Refuses a message around an assertion that answers to another request. Throws an Error. */
export const requireSameRequest = (root: XmlElement, in_response_to: string | undefined): void => {
  const outer = root.getAttribute('InResponseTo') ?? ''
  if (outer !== '' && outer !== in_response_to) throw new Error('the answer is to another request')
}

/** When a message was issued, in milliseconds. Throws an Error for an old one. */
export const requireRecent = (root: XmlElement): number => {
  const issued = Date.parse(root.getAttribute('IssueInstant') ?? '')
  if (!(Math.abs(Date.now() - issued) < MAX_AGE * 1000)) throw new Error('the request is too old')
  return issued
}
