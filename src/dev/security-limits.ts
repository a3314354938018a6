/**
 * The table of limits in SECURITY.md, made from the constants that the code applies.
 *
 * Rates and numbers of things are declared for all of the server: a new one is a line of the table, or the compiler
 * asks for its words. Other limits are constants of the files that apply them, and are read from the text of these.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { accountLimits, type CountLimit, realmLimits } from '../domain/limits/counts.js'
import { limits } from '../domain/limits/limits.js'
import { defaultRateLimits, type RateLimitName, type RateWindow } from '../domain/limits/rate-limits.js'
import { type FairQueueRow, fairQueues } from '../store/fairness/fair-queues.js'
import { jobClasses } from '../store/jobs/job-classes.js'
import { root } from './root.js'

const BEGIN = '<!-- limits: written by `npm run docs` from src/dev/security-limits.ts -->'
const END = '<!-- end of limits -->'

/** A line of the table: what is limited, to what, for whom, and where. */
type Row = readonly [what: string, limit: string, per: string, where: string]

/**
 * Replaces the table of limits in the text of SECURITY.md. The new table is made from the constants. Throws an Error
 * when the page has no place for it.
 */
export const writeLimitsTable = (page: string): string => {
  const [before, rest = ''] = page.split(BEGIN)
  const [, after] = rest.split(END)
  if (after === undefined) throw new Error(`SECURITY.md must have the lines ${BEGIN} and ${END}`)
  const parts = [
    rateRows,
    credentialRows,
    requestRows,
    bodyRows,
    queueRows,
    fileRows,
    documentRows,
    thingRows,
    eventRows,
  ]
  const rows = parts.flatMap((part) => part())
  const table = [
    '| what | limit | per | where |',
    '| --- | --- | --- | --- |',
    ...rows.map(([what, limit, per, where]) => `| ${what} | ${limit} | ${per} | ${where} |`),
  ]
  return `${before}${BEGIN}\n${table.join('\n')}\n${END}${after}`
}

/** What each rate counts, and by what. */
const rates: Readonly<Record<RateLimitName, readonly [what: string, per: string]>> = {
  api_by_user: ['calls', 'account'],
  events_by_user: ['polls and handshakes', 'account'],
  uploads_by_user: ['uploads', 'account'],
  downloads_by_user: ['downloads', 'account'],
  downloads_by_ip: ['downloads without credentials', 'network address'],
  external_pictures_by_user: ['pictures of other sites that the server loads', 'account'],
  external_pictures_by_ip: ['pictures of other sites that the server loads, without credentials', 'network address'],
  api_by_ip: ['calls without credentials, and requests for `openapi.json` and its pages', 'network address'],
  failed_authentication_by_ip: ['calls without valid credentials', 'network address'],
  authenticate_by_username: ['wrong passwords', 'account and network address'],
  authenticate_by_account: ['wrong passwords', 'account'],
  authenticate_by_ip: ['wrong passwords', 'network address'],
  second_factor_by_account: ['wrong codes of the second factor', 'account'],
  second_factor_mail_by_account: ['mails about wrong codes of the second factor', 'account'],
  failed_log_ins_by_realm: ['refused log-ins with providers that the audit log records', 'organization'],
  email_change_by_user: ['requests for another address', 'account'],
  password_reset_form_by_email: ['mails with a link for a new password', 'address'],
  sends_email_by_ip: ['mails with a link for a new password', 'network address'],
  join_mail_by_email: ['mails that confirm an address to join', 'address'],
  join_mail_by_ip: ['mails that confirm an address to join', 'network address'],
  sign_up_mail_by_email: ['mails that confirm an address for signing up', 'mailbox and organization'],
  sign_up_mail_by_mailbox: ['mails that confirm an address for signing up', 'mailbox'],
  sign_up_mail_by_ip: ['mails that confirm an address for signing up', 'network address'],
  sign_up_mail_by_realm: ['mails that confirm an address for signing up', 'organization'],
  join_mail_by_invitation: ['mails that confirm an address to join', 'invitation'],
  invitations_by_realm: ['invitations by mail', 'organization'],
  address_tests_by_user: ['answers that a hidden address has an account', 'administrator'],
  spectator_attachment_access_by_file: ['downloads of one file without credentials', 'file'],
}

const rateRows = (): Row[] =>
  (Object.keys(defaultRateLimits) as RateLimitName[]).map((name) => {
    const [what, per] = rates[name]
    return [what, defaultRateLimits[name].map(describeWindow).join(', '), per, `\`${name}\` of \`RATES\``]
  })

const describeWindow = ({ requests, seconds }: RateWindow): string =>
  `${count(requests)} ${seconds === 60 ? 'a minute' : seconds === 3_600 ? 'an hour' : seconds === DAY ? 'a day' : `in ${time(seconds)}`}`

const credentialRows = (): Row[] => {
  const sessions = from('domain/users/accounts/sessions.ts')
  const keys = from('domain/api-keys/api-keys.ts')
  const tickets = from('gateway/api/events/stream-tickets.ts')
  const tokens = from('gateway/log-in/json-web-token.ts')
  const links = from('domain/files/file-links.ts')
  const changes = from('store/users/email-changes.ts')
  return [
    ['life of a JSON web token', time(tokens.value('MAX_LIFE')), '', tokens.where],
    ['life of a mailed link, except invitations', time(changes.value('LIFETIME_SECONDS')), '', changes.where],
    [
      'sessions of browsers',
      `${sessions.value('MAX_SESSIONS')}; a further one ends the one that would expire first`,
      'account',
      sessions.where,
    ],
    [
      'life of a session',
      `${time(sessions.value('IDLE_SECONDS'))} after its last use, ${time(sessions.value('LONGEST_SECONDS'))} in all`,
      '',
      sessions.where,
    ],
    ['API keys with a name', String(keys.value('MAX_KEYS')), 'account', keys.where],
    ['life of a ticket for a stream', time(tickets.value('LIFETIME_SECONDS')), '', tickets.where],
    ['life of a temporary address of a file', time(links.value('TEMPORARY_LINK_SECONDS')), '', links.where],
  ]
}

const requestRows = (): Row[] => {
  const head = from('gateway/transport/native-library.ts')
  const server = from('gateway/transport/uws.ts')
  const calls = from('gateway/sockets/socket-call.ts')
  const forms = from('gateway/body/decode-form.ts')
  const values = from('gateway/body/json-values.ts')
  const refused = from('gateway/transport/refused-handshakes.ts')
  const subscriptions = `${count(limits.max_subscriptions_per_change)}, a new channel as 10; a request with more is several changes, with rests between them`
  return [
    [
      'head of a request',
      `${size(head.value('MAX_HEAD_BYTES'))} (\`UWS_HTTP_MAX_HEADERS_SIZE\`), 98 fields (431)`,
      'request',
      head.where,
    ],
    ['time for the head of a request', '28 to 32 s; the connection is closed', 'connection', 'uWebSockets'],
    [
      'message over a WebSocket',
      `${size(calls.value('MAX_CALL_BYTES'))} (1009); over ${size(server.value('MAX_RECEIVED_MESSAGE_BYTES'))} the connection is closed`,
      'message',
      server.where,
    ],
    [
      'open requests and WebSockets',
      '`MAX_OPEN_REQUESTS_PER_ADDRESS`, 5,000 (429)',
      'address and gateway',
      '`gateway/fairness/open-requests.ts`',
    ],
    ['subscriptions in one change', subscriptions, 'request', '`gateway/call/change-batches.ts`'],
    [
      'refused handshakes of browsers that are accepted to send the error',
      `${count(refused.value('MAX_ACCEPTED'))} in ${server.value('IDLE_TIMEOUT_SECONDS')} s`,
      'gateway',
      refused.where,
    ],
    ['parts of a multipart form', `${count(forms.value('MAX_FIELDS'))} (400)`, 'request', forms.where],
    ['depth of a JSON parameter', `${values.value('MAX_DEPTH')} (400)`, 'parameter', values.where],
    ['values and keys of a JSON parameter', `${count(limits.max_json_values)} (400)`, 'parameter', LIMITS],
    ['messages whose flags one request changes', `${count(limits.max_flag_changes_at_once)} (400)`, 'request', LIMITS],
  ]
}

const bodyRows = (): Row[] => {
  const bodies = from('gateway/body/request-body.ts')
  const pace = from('gateway/body/body-pace.ts')
  const large = bodies.value('LARGE_BODIES_BYTES')
  const small = (key: string) => size(bodies.value(`SMALL_BODIES.${key}`))
  return [
    ['request body without credentials', `${size(bodies.value('SMALL_BODY_BYTES'))} (413)`, 'request', bodies.where],
    [
      'request body with credentials',
      `${size(bodies.value('DEFAULT_BODY_BYTES'))}; files: the limit of the file (413 or 400)`,
      'request',
      '`body` of the endpoint',
    ],
    ['small bodies in memory', `${small('per_address')} (429)`, 'address', bodies.where],
    ['small bodies in memory', `${small('total')} (503)`, 'gateway', bodies.where],
    ['large bodies in memory', `${size(large / 4)} (429)`, 'account', bodies.where],
    ['large bodies in memory', `${size(large / 2)} (429)`, 'address', bodies.where],
    ['large bodies in memory', `${size(large)} (503)`, 'gateway', bodies.where],
    [
      'slowest body',
      `${bodies.value('MIN_BYTES_PER_MS')} KB/s after ${seconds(bodies.value('GRACE_MS'))}; ${seconds(bodies.value('MAX_SILENCE_MS'))} without a byte (408)`,
      'request',
      bodies.where,
    ],
    [
      'large bodies that are received',
      `${size(pace.value('BYTES_PER_MS') * 1_000)} a second, after ${size(pace.value('BYTES_PER_MS') * pace.value('BURST_MS'))} at once; the rest is read later`,
      'account and gateway',
      pace.where,
    ],
  ]
}

const queueRows = (): Row[] =>
  Object.values(fairQueues).map((row) => [
    `${row.work} at a time${row.details === undefined ? '' : `: ${row.details}`}`,
    describeQueue(row),
    // A number of one owner is in the description where there is one of all owners too.
    row.owner === undefined || row.slots !== undefined ? row.processes : `${row.owner} and ${row.processes}`,
    '`store/fairness/fair-queues.ts`',
  ])

const describeQueue = (row: FairQueueRow): string => {
  const { slots, slotsPerCore, perOwner, largeSlots, rest, waiting, longestWaitMs, expectedWaitMs } = row
  const refused = `(${row.refusal})`
  const parts = [
    `${slots ?? perOwner}`,
    slotsPerCore === undefined ? '' : `, or ${slotsPerCore} per core (at least 1) if this is fewer`,
    largeSlots === undefined ? '' : `, at most ${largeSlots} of them ${row.large}`,
    slots === undefined || perOwner === undefined ? '' : `; ${perOwner} per ${row.owner}`,
    rest === undefined ? '' : `, and then a rest of ${rest.factor} times its duration, up to ${seconds(rest.maxMs)}`,
    waiting === undefined ? '' : `; ${waiting} more wait ${refused}`,
    longestWaitMs === undefined ? '' : `; more wait while none has waited for ${seconds(longestWaitMs)} ${refused}`,
    expectedWaitMs === undefined ? '' : `; more wait, for up to ${seconds(expectedWaitMs)} ${refused}`,
  ]
  return parts.join('')
}

const fileRows = (): Row[] => {
  const decoder = from('store/files/image-decoder.ts')
  const images = from('domain/files/image-header.ts')
  const slots = from('gateway/fairness/download-slots.ts')
  const uploads = from('store/files/resumable-uploads.ts')
  const links = from('domain/files/file-links.ts')
  const pictures = from('store/files/external-pictures.ts')
  const calls = from('store/outgoing/outgoing-http.ts')
  const pixels = images.value('MAX_PIXELS')
  const waiting = (key: string) => size(decoder.value(`MAX_WAITING_BYTES.${key}`))
  return [
    ['pixels of an image', `${millions(pixels)} (400)`, 'image', images.where],
    [
      'images that wait in a gateway',
      `${millions(4 * pixels)} pixels, ${waiting('account')} (429)`,
      'account',
      decoder.where,
    ],
    ['images that wait', `${waiting('all')} (429)`, 'gateway', decoder.where],
    [
      'downloads of all accounts and addresses at a time',
      `${count(slots.value('MAX_SENDING'))} (429)`,
      'gateway',
      slots.where,
    ],
    ['unfinished uploads', `${uploads.value('MAX_UNFINISHED')} (429)`, 'account', uploads.where],
    ['parts of an upload', `${count(uploads.value('MAX_PARTS'))} (400)`, 'upload', uploads.where],
    ['name of a file', `${links.value('MAX_NAME_LENGTH')} characters; the end is kept`, 'file', links.where],
    [
      'picture of another site',
      `${calls.value('TIMEOUT_MS') / 1_000} s, ${size(calls.value('MAX_PICTURE_BYTES'))}, ${millions(pixels)} pixels, ${calls.value('MAX_REDIRECTIONS')} redirects`,
      'picture',
      calls.where,
    ],
    [
      'pictures of other sites that are kept',
      `${size(pictures.value('externalPictureBounds.bytes'))}, ${count(pictures.value('externalPictureBounds.pictures'))}; ${time(pictures.value('KEPT_SECONDS'))}`,
      'organization',
      pictures.where,
    ],
  ]
}

const documentRows = (): Row[] => {
  const documents = from('store/files/document-reading.ts')
  const reading = from('store/files/text/text-operations.ts')
  const text = from('store/files/text/text-collector.ts')
  const zip = from('store/files/text/zip-parts.ts')
  const words = from('domain/search/file-vector.ts')
  const known = from('store/messages/narrow/known-words.ts')
  return [
    [
      'documents read at a time',
      `1; of more than ${size(documents.value('MAX_DOCUMENT_BYTES'))}, only their name is found`,
      'worker',
      documents.where,
    ],
    [
      'reading of a document for the search',
      `${seconds(reading.value('MAX_CPU_MS'))} of a processor, ${reading.value('MAX_HEAP_MIB')} MiB of objects`,
      'document',
      reading.where,
    ],
    [
      'text of a document for the search',
      `${count(text.value('MAX_CHARACTERS'))} characters, ${count(words.value('MAX_VECTOR_BYTES'))} bytes of words`,
      'document',
      `${text.where}, ${words.where}`,
    ],
    [
      'parts of a document that is unpacked',
      `${count(zip.value('MAX_PARTS'))}, ${size(zip.value('MAX_UNPACKED_BYTES'))}`,
      'document',
      zip.where,
    ],
    [
      'known words for suggestions',
      `${count(known.value('MAX_WORDS'))}; the rarest are forgotten`,
      'organization',
      known.where,
    ],
  ]
}

const thingRows = (): Row[] => {
  const row = (per: string, { things, most }: CountLimit): Row => [
    things.replace(/ that you created$/, ' that an account created').replace('your', "a bot's"),
    count(most),
    per,
    '`domain/limits/counts.ts`',
  ]
  return [
    ...Object.values(accountLimits).map((one) => row('account', one)),
    ...Object.values(realmLimits).map((one) => row('organization', one)),
    [
      'drafts, snippets, scheduled messages and reminders',
      `${limits.max_kept_bytes / 1_000_000} MB`,
      'list of an account',
      LIMITS,
    ],
    ["keys and values of a bot's storage", `${count(limits.max_bot_storage_characters)} characters`, 'bot', LIMITS],
  ]
}

const eventRows = (): Row[] => {
  const server = from('gateway/transport/uws.ts')
  const slow = from('gateway/events/slow-clients.ts')
  const calls = from('gateway/sockets/socket-call.ts')
  const outgoing = from('store/outgoing/outgoing-http.ts')
  const breakers = from('store/messages/sending/webhook-breakers.ts')
  const slots = Object.values(jobClasses).map(({ slots_per_realm }) => slots_per_realm)
  return [
    [
      'event queues, and so connections that receive events',
      `${limits.max_queues_per_user}; the one that was not used for the longest time is deleted`,
      'account',
      LIMITS,
    ],
    ['event types and narrow of a queue', `${count(limits.max_queue_profile_length)} characters`, 'queue', LIMITS],
    [
      'unsent events',
      size(server.value('MAX_UNSENT_BYTES')),
      'connection',
      `${server.where}, \`gateway/events/sse.ts\``,
    ],
    ['unsent events', size(slow.value('MAX_UNSENT_BYTES_PER_ACCOUNT')), 'account and gateway', slow.where],
    ['unsent events', '`MAX_UNSENT_MIB`, 256 MiB', 'gateway', slow.where],
    [
      'calls that wait on sockets',
      `${count(calls.value('MAX_WAITING'))} per socket, ${size(calls.value('MAX_WAITING_CHARACTERS'))} per account`,
      'gateway',
      calls.where,
    ],
    [
      'jobs at a time',
      `${Math.min(...slots)} to ${Math.max(...slots)}, by class`,
      'organization and worker',
      '`store/jobs/job-classes.ts`',
    ],
    [
      'call to a webhook or a page',
      `${seconds(outgoing.value('TIMEOUT_MS'))}, ${size(outgoing.value('MAX_ANSWER_BYTES'))}`,
      'call',
      outgoing.where,
    ],
    [
      'failures of a webhook in a row',
      `${breakers.value('MAX_FAILURES')}, then it is not called for ${breakers.value('FIRST_REFUSAL_SECS')} s to ${breakers.value('MAX_REFUSAL_SECS') / 60} min`,
      'bot',
      breakers.where,
    ],
  ]
}

const LIMITS = '`domain/limits/limits.ts`'
const DAY = 86_400

const count = (number: number): string => number.toLocaleString('en-US')
const millions = (number: number): string => `${number / 1_000_000} million`
const seconds = (milliseconds: number): string => `${milliseconds / 1_000} s`

const size = (bytes: number): string =>
  bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MiB` : `${count(bytes / 1_024)} KiB`

const time = (secs: number): string => {
  for (const [unit, one, name] of [
    [DAY, 'a day', 'days'],
    [3_600, 'an hour', 'hours'],
    [60, 'a minute', 'minutes'],
  ] as const)
    if (secs % unit === 0) return secs === unit ? one : `${secs / unit} ${name}`
  return `${secs} s`
}

/** The constants of a source file. */
const from = (file: string) => {
  const text = readFileSync(join(root, 'src', file), 'utf8')
  return { where: `\`${file}\``, value: (name: string): number => readConstant(text, file, name) }
}

/**
 * Reads a number that is declared in the text of a source file. The declaration consists of digits, other such numbers,
 * `*` and `/`. Throws an Error when the file has no such number.
 * @param name of the constant, or of a property of a constant: `SLOTS.account`
 */
export const readConstant = (text: string, file: string, name: string): number => {
  const [constant = '', property] = name.split('.')
  const [, declared] = new RegExp(`^(?:export )?const ${constant} = (.+)$`, 'm').exec(text) ?? []
  const written = property === undefined ? declared : new RegExp(`\\b${property}: ([^,}]+)`).exec(declared ?? '')?.[1]
  if (written === undefined) throw new Error(`${file} has no constant ${name}`)
  const evaluate = (expression: string): number =>
    expression
      .replace(/[()]/g, '')
      .trim()
      .split(/(?=[*/])/)
      .reduce((product, part) => {
        const operand = part.replace(/^[*/]/, '').trim()
        const value = /^[\d_]+$/.test(operand) ? Number(operand.replaceAll('_', '')) : readConstant(text, file, operand)
        return part.startsWith('/') ? product / value : product * value
      }, 1)
  return evaluate(written)
}
