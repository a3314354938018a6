/** A person of a directory: what the attributes of an entry say. */
import type { Directory } from './directories.js'
import type { ExternalUser } from './external-log-in.js'

/** An entry of a directory: the values of its attributes, by their names in small letters. */
export interface EntryValues {
  readonly dn: string
  readonly values: ReadonlyMap<string, readonly (string | Buffer)[]>
}

/** A person of a directory. */
export interface DirectoryPerson {
  readonly dn: string
  /** the same for ever, also after the entry was renamed or moved */
  readonly subject: string
  /** '' if the entry has none */
  readonly email: string
  readonly name: string
  /** the directory says that the person may not log in */
  readonly isDisabled: boolean
}

/** Longer values are refused: they are stored. */
const MAX_TEXT = 255

/** The attributes that say who a person is. */
export const personAttributes = ({ attributes: { id, email, name, disabled } }: Directory): string[] =>
  [id, email, name, disabled].filter((attribute) => attribute !== '')

/** The person of an entry; undefined: nothing in it tells who it is later. */
export const readPerson = ({ attributes }: Directory, entry: EntryValues): DirectoryPerson | undefined => {
  const subject = readId(entry, attributes.id)
  if (subject === '') return undefined
  return {
    dn: entry.dn,
    subject,
    email: readText(entry, attributes.email),
    name: readText(entry, attributes.name),
    isDisabled: attributes.disabled !== '' && isDisabled(entry, attributes.disabled),
  }
}

/** The person as a user who logs in. Addresses of a directory are those that its administrators have entered. */
export const composeExternalPerson = ({ key }: Directory, { subject, email, name }: DirectoryPerson): ExternalUser => ({
  method: key,
  issuer: key,
  subject,
  email,
  isVerified: true,
  names: name === '' ? [] : [name],
  sid: '',
  idToken: '',
  claims: {},
})

/** The bytes of an id are written as hex digits, a text stays as it is. */
const readId = (entry: EntryValues, attribute: string): string => {
  const [value] = entry.values.get(attribute.toLowerCase()) ?? []
  if (!Buffer.isBuffer(value)) return readText(entry, attribute)
  return value.length > 0 && value.length <= MAX_TEXT / 2 ? value.toString('hex') : ''
}

/** The first value of an attribute; '' for bytes, and for what is too long to be stored. */
const readText = ({ values }: EntryValues, attribute: string): string => {
  const [value] = values.get(attribute.toLowerCase()) ?? []
  return typeof value === 'string' && value.length <= MAX_TEXT && !value.includes('\0') ? value.trim() : ''
}

/** The bit of userAccountControl that Active Directory calls ACCOUNTDISABLE. */
const DISABLED_BIT = 2

const isDisabled = (entry: EntryValues, attribute: string): boolean => {
  const text = readText(entry, attribute)
  if (attribute.toLowerCase() === 'useraccountcontrol') return (Number(text) & DISABLED_BIT) !== 0
  return /^(true|yes|1)$/i.test(text)
}
