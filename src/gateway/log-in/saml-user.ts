/** What an assertion says about the user. Owners name the attributes; without names, well-known ones count. */
import type { Profile } from '@node-saml/node-saml'
import type { ExternalUser } from '../../domain/log-in/external-log-in.js'
import type { MethodOf } from '../../domain/log-in/methods.js'
import { errors } from '../../domain/protocol/errors.js'

/** Longer values are refused: they are stored. */
const MAX_TEXT = 255

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'

/** Attributes with well-known names: plain ones, those of LDAP, and those of Microsoft. */
const known = {
  email: ['email', 'mail', 'emailAddress', 'urn:oid:0.9.2342.19200300.100.1.3', `${CLAIMS}/emailaddress`],
  name: [
    'name',
    'displayName',
    'urn:oid:2.16.840.1.113730.3.1.241',
    'http://schemas.microsoft.com/identity/claims/displayname',
    'cn',
    'urn:oid:2.5.4.3',
  ],
  given_name: ['givenName', 'firstName', 'urn:oid:2.5.4.42', `${CLAIMS}/givenname`],
  family_name: ['sn', 'surname', 'lastName', 'urn:oid:2.5.4.4', `${CLAIMS}/surname`],
} as const

const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
const TRANSIENT_FORMAT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

/** The user of an assertion whose signature was verified. Throws BAD_REQUEST and AUTHENTICATION_FAILED. */
export const composeSamlUser = (
  { key: method, name: provider, options }: MethodOf<'saml'>,
  issuer: string,
  { nameID, nameIDFormat, nameQualifier, spNameQualifier, sessionIndex, attributes }: Profile,
): ExternalUser => {
  const claims = { ...(attributes as Record<string, unknown> | undefined) }
  const find = (names: readonly string[]) => names.map((name) => textOf(claims[name])).find((text) => text !== '') ?? ''
  const { subject_attribute, email_attribute, name_attribute, verified_claim, trusts_addresses } = options
  if (subject_attribute === '' && nameIDFormat === TRANSIENT_FORMAT) {
    throw errors.badRequest('{provider} names you differently at each log-in (transient NameID).', { provider })
  }
  const subject = subject_attribute === '' ? textOf(nameID) : textOf(claims[subject_attribute])
  if (subject === '') throw errors.authenticationFailed()
  const inAttributes = find(email_attribute === '' ? known.email : [email_attribute])
  const isAddress = email_attribute === '' && nameIDFormat === EMAIL_FORMAT
  const fullName = `${find(known.given_name)} ${find(known.family_name)}`.trim()
  const names = name_attribute === '' ? [find(known.name), fullName] : [find([name_attribute])]
  return {
    method,
    issuer,
    subject,
    email: inAttributes === '' && isAddress ? textOf(nameID) : inAttributes,
    isVerified: trusts_addresses || ['true', '1'].includes(textOf(claims[verified_claim]).toLowerCase()),
    names: names.filter((name) => name !== ''),
    sid: textOf(sessionIndex),
    idToken: JSON.stringify({ nameID, nameIDFormat, nameQualifier, spNameQualifier, sessionIndex }),
    claims,
  }
}

/** The first text of an attribute; '' for anything else, and for what is too long to be stored. */
const textOf = (input: unknown): string => {
  const value = Array.isArray(input) ? input[0] : input
  return typeof value === 'string' && value.length <= MAX_TEXT && !value.includes('\0') ? value.trim() : ''
}
