/**
 * The terms for which the protocol has two names. The server accepts both. It writes those of the API document, and to
 * existing clients those that they know: such a client fails on a whole event with an unknown type of emoji.
 *
 * Source: protocol/clients.md 2.
 */
import { ApiError, errors } from './errors.js'

/** What the names of most existing clients begin with. */
const existingClientPrefix = 'Zulip'

/**
 * The existing clients with other names: the library for Go, and that for Java, which sends the name of its HTTP
 * library. docs/clients.md lists them for authors of clients.
 */
const otherExistingClients: ReadonlySet<string> = new Set(['go-zulip', 'Apache-HttpClient'])

/**
 * Whether a client reads the names of the API document. Existing clients read other names. A program that the server
 * does not know was written for the document.
 */
export const readsDocumentNames = (client: string): boolean =>
  !client.startsWith(existingClientPrefix) && !otherExistingClients.has(client)

/** Whether a client reads who reacted in an object of each reaction. Each reaction had this object before level 328. */
export const readsReactingUsers = (client: string): boolean => client.startsWith(existingClientPrefix)

const terminal = 'ZulipTerminal'

/**
 * Returns the fields that zulip-terminal requires in each subscription. Without `email_address` it exits when it shows
 * the channel. The value is empty, because this server does not accept mail for channels. Other clients ask for the
 * address by an endpoint (channel-list.ts), and some refuse a channel with this field.
 */
export const legacySubscriptionFields = (client: string): { email_address?: string } =>
  client === terminal ? { email_address: '' } : {}

/** Returns a limit in seconds as the client expects it. For "no limit" zulip-terminal needs 0, and exits on null. */
export const formatLimit = (client: string, seconds: number | null): number | null =>
  client === terminal ? (seconds ?? 0) : seconds

/**
 * Makes the error for an unknown event queue.
 * zulip-terminal registers again only if the message begins as it did before errors had codes.
 */
export const badEventQueueId = (client: string, queue_id: string): ApiError => {
  const error = errors.badEventQueueId({ queue_id })
  if (client !== terminal) return error
  const said = { text: 'Bad event queue id: {queue_id}', values: { queue_id } }
  return new ApiError(error.status, error.code, said, { fields: { queue_id }, isMatched: true })
}

/** The values of `type` in a request to send a message. In responses the server writes the older name of each pair. */
export const messageTypes = ['stream', 'channel', 'private', 'direct'] as const

/** Whether a message type means direct messages. */
export const isDirectType = (type: string): boolean => type === 'private' || type === 'direct'

/** Whether a message type means channel messages. */
export const isChannelType = (type: string): boolean => type === 'stream' || type === 'channel'

/** The older name of the parameter `topic`. */
export const topicAlias = 'subject'

/**
 * Returns the feature level and version under all their names. These are the names of the API document, and those that
 * clients require.
 */
export const versionFields = (level: number, version: string) => ({
  api_feature_level: level,
  zulip_feature_level: level,
  zulip_version: version,
  zulip_merge_base: version,
})

/** Returns the address of the organization under both of its names. */
export const realmUrlFields = (realm_url: string) => ({ realm_url, realm_uri: realm_url })

/** The names of emoji sets that existing clients use, by those of the API document. */
const emojisetAlias = { set_a: 'google', set_b: 'google-blob', set_c: 'twitter', text: 'text' } as const

type EmojisetName = keyof typeof emojisetAlias

/** The name of an emoji set that the client reads. */
export const emojisetName = (
  { document_names }: { document_names: boolean },
  name: EmojisetName,
): EmojisetName | (typeof emojisetAlias)[EmojisetName] => (document_names ? name : emojisetAlias[name])

/** The API document's names of emoji sets, by either name. */
export const emojisetByAlias = {
  set_a: 'set_a',
  set_b: 'set_b',
  set_c: 'set_c',
  text: 'text',
  google: 'set_a',
  'google-blob': 'set_b',
  twitter: 'set_c',
} as const

/** The stored type of the only emoji that is built into the server as an image. */
export const extraEmojiType = 'zulip_extra_emoji'

/** The same type under the name of the API document. */
const documentExtraEmojiType = 'service_extra_emoji'

/** Returns the type of an emoji, which may have either name, as it is stored. */
export const storedReactionType = (input: string): string => (input === documentExtraEmojiType ? extraEmojiType : input)

/** Returns the stored type of an emoji under the name that the client reads. */
export const reactionTypeName = ({ document_names }: { document_names: boolean }, stored: string): string =>
  document_names && stored === extraEmojiType ? documentExtraEmojiType : stored

/** Gives the type of an emoji in an object the name that the client reads. The object may also have no such type. */
export const nameReactionType = <T extends { reaction_type?: string | undefined }>(
  form: { document_names: boolean },
  object: T,
): T => {
  const { reaction_type } = object
  if (reaction_type === undefined) return object
  const name = reactionTypeName(form, reaction_type)
  return name === reaction_type ? object : { ...object, reaction_type: name }
}

/**
 * Returns a URL template in the format from before RFC 6570. The format has `…/%(id)s` for `…/{id}`. Returns undefined
 * if the older format cannot express the template.
 */
export const legacyUrlFormat = (template: string): string | undefined => {
  const format = template.replaceAll('%', '%%').replace(/\{(\w+)\}/g, '%($1)s')
  return /[{}]/.test(format) ? undefined : format
}
