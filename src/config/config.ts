import { accessSync, constants } from 'node:fs'
import { z } from 'zod'
import { type BrokerKind, parseBrokerUrl } from '../domain/deployment/broker-url.js'
import { parseRedisUrl } from '../domain/deployment/redis-url.js'
import { findWeakness } from '../domain/deployment/secret-strength.js'
import { isTopicPrefix } from '../domain/event-subscriptions/topics.js'
import { parseRateLimits } from '../domain/limits/rate-limits.js'
import { listDirectoryFiles, parseDirectories } from '../domain/log-in/directories.js'
import { parseOperatorMethods } from '../domain/log-in/methods.js'
import { isNetwork } from '../domain/net/client-address.js'
import { splitDatabaseUrl } from '../domain/net/database-urls.js'
import { findUnencodedLogin } from '../domain/net/url-passwords.js'
import { isStringId } from '../domain/realm/string-id.js'
import { isEmailAddress } from '../domain/users/name-and-email-rules.js'
import { explainUnsupportedNode } from './supported-nodes.js'
import { findUnknownVariables } from './unknown-variables.js'

/** A TCP port; 0 asks the system for a free one. */
const Port = z.coerce.number().int().min(0).max(65535)
const Milliseconds = z.coerce.number().int().positive()
const Days = z.coerce.number().positive()
const Switch = z.enum(['on', 'off']).default('on')
const Networks = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
  .refine((parts) => parts.every(isNetwork), 'must be addresses or networks like 10.0.0.0/8, separated by commas')

/** A URL of a service whose login may contain a password. */
const ServiceUrl = (protocol: RegExp) =>
  z
    .string()
    .superRefine((text, context) => {
      const unencoded = findUnencodedLogin(text)
      if (unencoded !== undefined) context.addIssue({ code: 'custom', message: unencoded })
    })
    .pipe(z.url({ protocol }))

/** A URL of a message broker. Its files have to be readable. */
const OptionalBroker = (kind: BrokerKind) =>
  z
    .string()
    .optional()
    .superRefine((url, context) => {
      if (url === undefined) return
      try {
        const { credentials_file, tls } = parseBrokerUrl(kind, url)
        const files = [credentials_file, tls?.ca, tls?.cert, tls?.key]
        for (const file of files) if (file !== undefined) accessSync(file, constants.R_OK)
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message })
      }
    })

const HOW_TO_MAKE_SECRETS = 'Make one with: openssl rand -hex 32'

/** Whether a URL is only a scheme, a host and a port. */
const isOrigin = (text: string): boolean => {
  const { pathname, search, hash, username, password } = new URL(text)
  return pathname === '/' && `${search}${hash}${username}${password}` === '' && !/[?#]/.test(text)
}

/** Whether a sender of mail has an address: `a@b.example` or `Name <a@b.example>`. */
const hasAddress = (text: string): boolean => {
  const [, inBrackets] = /^[^<>\r\n]*<([^<>]*)>$/.exec(text.trim()) ?? []
  return isEmailAddress(inBrackets ?? text.trim())
}

/** Says what is wrong with `<organization>=<secret>`, by the organization or else the place. Never repeats a secret. */
const findJwtKeyProblem = (part: string, position: string): string | undefined => {
  const at = part.indexOf('=')
  const name = part.slice(0, Math.max(0, at))
  if (!isStringId(name)) {
    return `${position} does not begin with an organization: it must be <organization>=<secret>, separated by spaces`
  }
  const secret = part.slice(at + 1)
  if (secret.length < 32) return `The secret of ${name} must have at least 32 characters. ${HOW_TO_MAKE_SECRETS}`
  const weakness = findWeakness(secret)
  return weakness === undefined ? undefined : `The secret of ${name} ${weakness}. ${HOW_TO_MAKE_SECRETS}`
}

/** Secrets of which keys are derived, the newest first. */
const Secrets = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
  .superRefine((secrets, context) => {
    if (secrets.length === 0) context.addIssue({ code: 'custom', message: 'is required' })
    for (const [i, secret] of secrets.entries()) {
      const weakness = findWeakness(secret)
      if (weakness === undefined) continue
      const which = secrets.length === 1 ? 'The secret' : `Secret ${i + 1} of ${secrets.length}`
      context.addIssue({ code: 'custom', message: `${which} ${weakness}. ${HOW_TO_MAKE_SECRETS}` })
    }
  })

/**
 * The configuration of a process: one environment variable per field.
 *
 * Only this file reads the environment. An empty string counts as unset, because compose files and Kubernetes templates
 * set a variable to an empty string when no value was given.
 *
 * `npm run docs` writes the table of docs/configuration.md from the descriptions and defaults. `unset` in the metadata
 * says what happens without a value, where the schema has no default that says it.
 */
export const Config = z.object({
  DATABASE_URL: z
    .string()
    .superRefine((text, context) => {
      const urls = splitDatabaseUrl(text)
      if (typeof urls === 'string') context.addIssue({ code: 'custom', message: urls })
    })
    .describe(
      'Postgres: `postgres://user:password@host:5432/database`. A primary and its standbys: `…@host1:5432,host2:5432/database`',
    ),
  DATABASE_READ_URL: z
    .string()
    .optional()
    .superRefine((text, context) => {
      const urls = text === undefined ? [] : splitDatabaseUrl(text)
      if (typeof urls === 'string') context.addIssue({ code: 'custom', message: urls })
    })
    .meta({
      description:
        'Standbys of Postgres that run reads of history, search and exports: `postgres://user:password@host1:5432,host2:5432/database` ([read replicas](operations.md#read-replicas))',
      unset: 'the primary runs all reads',
    }),
  REDIS_URL: z
    .string()
    .superRefine((url, context) => {
      try {
        const { tls } = parseRedisUrl(url)
        for (const file of [tls?.ca, tls?.cert, tls?.key]) if (file !== undefined) accessSync(file, constants.R_OK)
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message })
      }
    })
    .describe(
      'Redis: `redis://:password@host:6379`, `redis+cluster://host1,host2`, `redis+sentinel://host1,host2/mymaster`; with TLS `rediss://…` ([forms](operations.md#redis-cluster-and-sentinel))',
    ),
  SECRET_KEY: Secrets.describe(
    'Random characters: `openssl rand -hex 32`. API keys and tokens are derived from it. Several, separated by commas: the first one derives new keys, those of the others stay valid',
  ),
  HOST: z.string().min(1).default('127.0.0.1').describe('The address on which the gateway listens; `0.0.0.0` for all'),
  PORT: Port.default(9991).describe('The port on which the gateway listens; `0` for a free one'),
  OPERATIONS_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe(
      'The address on which a gateway or worker serves metrics and its health to operators, without authentication',
    ),
  OPERATIONS_PORT: Port.default(9990).describe(
    'The port for operators, a different one for each process of a machine; `0` for a free one, which the process prints',
  ),
  OPERATIONS_NAMES: z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
    .meta({
      description:
        'Host names under which the pages for operators are served, besides `localhost`, IP addresses and `OPERATIONS_HOST`: those of a browser, or of targets of Prometheus; separated by commas',
      unset: 'none',
    }),
  BASE_DOMAIN: z
    .hostname()
    .default('localhost')
    .describe('The host name `<realm>.<BASE_DOMAIN>` selects an organization'),
  ROOT_REALM: z
    .string()
    .refine(
      isStringId,
      'must be the string_id of an organization: small letters, digits and hyphens, as in create-realm',
    )
    .optional()
    .describe('The `string_id` of the organization on every other host name'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .refine(
      isOrigin,
      'must have no path, query or login, such as https://chat.example.com: the server is not served below a path',
    )
    .optional()
    .meta({ description: 'The address of the root organization', unset: '`http://HOST:PORT`' }),
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .default('production')
    .describe('`production`, `development`, or `test`, which checks every response against its schema'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('The least severe level of the JSON log on stderr'),
  ACCESS_LOG: z
    .enum(['on', 'off'])
    .default('off')
    .describe(
      '`on`: a gateway logs a line for each call, with address, account, status and duration; without, only refused and failed ones',
    ),
  RATE_LIMITS: Switch.describe(
    '`off`: the gateway limits neither how often clients call it nor how many heavy calls run at once; for load tests',
  ),
  RATES: z
    .string()
    .default('')
    .superRefine((text, context) => {
      try {
        parseRateLimits(text)
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message })
      }
    })
    .meta({
      description: 'Rate limits as requests/seconds: `api_by_user=400/60 api_by_ip=50/60,1000/3600`',
      unset: 'those of `src/domain/limits/rate-limits.ts`',
    }),
  TRUSTED_PROXIES: Networks.describe(
    'Addresses and networks of the proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` the gateway believes; separated by commas. Only proxies may have an address in them',
  ),
  GATEWAY_NAMES: z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
    .refine(
      (names) => names.every((name) => /^[a-z0-9][a-z0-9-]{0,31}$/.test(name)),
      'must be names of small letters, digits and hyphens, separated by commas',
    )
    .describe(
      'The names of the gateways behind the load balancer, which leads `/gateways/<name>/api/` to that gateway. The web client then lets users choose one',
    ),
  WEB_PUBLIC_STREAMS_ENABLED: Switch.describe('`off`: no organization can show channels to callers without an account'),
  JWT_KEYS: z
    .string()
    .default('')
    .transform((text) => text.split(/\s+/).filter((part) => part !== ''))
    .superRefine((parts, context) => {
      for (const [i, part] of parts.entries()) {
        const message = findJwtKeyProblem(part, `Part ${i + 1} of ${parts.length}`)
        if (message !== undefined) context.addIssue({ code: 'custom', message })
      }
      const names = parts.map((part) => part.slice(0, part.indexOf('=')))
      const twice = names.find((name, i) => names.indexOf(name) !== i)
      if (twice !== undefined && isStringId(twice)) {
        context.addIssue({ code: 'custom', message: `has two secrets for ${twice}: an organization has one` })
      }
    })
    .transform(
      (parts) => new Map(parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)])),
    )
    .describe(
      'Secrets with which other sites sign JSON web tokens that log users in, one per organization: `acme=<32 or more characters>`',
    ),
  LOG_IN_METHODS: z
    .string()
    .default('')
    .transform((text, context) => {
      try {
        return parseOperatorMethods(text)
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message })
        return z.NEVER
      }
    })
    .meta({
      description:
        'Providers with whose accounts users of all organizations log in, a list in JSON ([providers](log-in-providers.md))',
      unset: 'those that owners set up',
    }),
  LDAP_DIRECTORIES: z
    .string()
    .default('')
    .transform((text, context) => {
      try {
        const directories = parseDirectories(text)
        for (const file of listDirectoryFiles(directories)) accessSync(file, constants.R_OK)
        return directories
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message })
        return z.NEVER
      }
    })
    .meta({
      description:
        'Directories (LDAP, Active Directory) with whose passwords users log in, a list in JSON ([directories](directories.md))',
      unset: 'none',
    }),
  LOG_IN_NETWORKS: Networks.meta({
    description: 'Private networks in which providers of accounts may be, besides public addresses',
    unset: 'public addresses only',
  }),
  WEBHOOK_NETWORKS: Networks.meta({
    description: 'Private networks that outgoing webhooks may call, besides public addresses',
    unset: 'public addresses only',
  }),
  EVENT_NATS_URL: OptionalBroker('nats').meta({
    description:
      'NATS JetStream, to which event subscriptions may deliver: `nats://user:password@host1:4222,host2:4222`; with TLS `nats+tls://…` ([brokers](operations.md#brokers-for-event-subscriptions))',
    unset: 'no subscription delivers to NATS',
  }),
  EVENT_KAFKA_URL: OptionalBroker('kafka').meta({
    description:
      'Kafka, to which event subscriptions may deliver: `kafka://user:password@host1:9092,host2:9092`; with TLS `kafka+tls://…`',
    unset: 'no subscription delivers to Kafka',
  }),
  EVENT_TOPIC_PREFIX: z
    .string()
    .default('parley.{realm_id}.')
    .refine(isTopicPrefix, 'must be letters, digits, hyphens and dots, with {realm_id} for the id of an organization')
    .describe(
      'What topics of Kafka and subjects of NATS begin with; `{realm_id}` is the id of the organization, without which organizations can write to the same topics',
    ),
  INLINE_URL_EMBED_PREVIEW: Switch.describe(
    '`off`: workers do not fetch the pages that messages link to, whatever an organization chose',
  ),
  PREVIEW_NETWORKS: Networks.meta({
    description: 'Private networks whose pages and pictures may be fetched for messages, besides public addresses',
    unset: 'public addresses only',
  }),
  CAMO_URI: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      description: 'A Camo through which clients load pictures and videos of other sites: `https://camo.example/`',
      unset: 'workers load the pictures, and gateways serve them',
    }),
  CAMO_KEY: z.string().min(1).optional().describe('The key with which the image proxy checks addresses'),
  SMTP_URL: ServiceUrl(/^smtps?$/)
    .optional()
    .meta({
      description: 'The mail server: `smtp://user:password@host:587`',
      unset: 'mail is written to `MAIL_OUTBOX`',
    }),
  MAIL_FROM: z
    .string()
    .refine(hasAddress, 'must be an address or a name with one: Parley <noreply@chat.example.com>')
    .optional()
    .meta({ description: 'The sender of mail', unset: '`Parley <noreply@BASE_DOMAIN>`' }),
  MISSED_MESSAGE_MAILS: Switch.describe(
    '`off`: users get no mail about messages they missed. In production, `on` takes effect only with `SMTP_URL`',
  ),
  MAIL_OUTBOX: z.string().default('.data/outbox').describe('The folder to which mail is written without `SMTP_URL`'),
  UPLOADS_DIR: z
    .string()
    .default('.data/uploads')
    .describe('The folder of uploaded files, shared by all gateways and workers; unused with `S3_BUCKET`'),
  S3_BUCKET: z
    .string()
    .min(3)
    .optional()
    .meta({ description: 'The bucket of uploaded files, instead of a folder', unset: '`UPLOADS_DIR` is used' }),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({ description: 'A server with the S3 protocol, such as MinIO', unset: 'Amazon S3' }),
  S3_REGION: z.string().min(1).default('us-east-1').describe('The region of the bucket'),
  S3_ACCESS_KEY_ID: z.string().optional().meta({
    description: 'The access key for the bucket',
    unset: 'the credentials of the machine (a role)',
  }),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe('The secret of `S3_ACCESS_KEY_ID`'),
  MAX_FILE_UPLOAD_SIZE_MIB: z.coerce
    .number()
    .int()
    .min(1)
    .max(256, 'may be 256 at most: a gateway holds what it receives in memory')
    .default(25)
    .describe('The largest file that can be uploaded, 256 at most'),
  UNCLAIMED_UPLOADS_DAYS: Days.default(35).describe(
    'How long an uploaded file is kept that no message, draft or scheduled message links to',
  ),
  POLL_HEARTBEAT_MS: Milliseconds.default(45_000).describe(
    'How long a long poll waits before the gateway answers with a heartbeat; up to 10 s are added',
  ),
  STREAM_HEARTBEAT_MS: Milliseconds.default(9_000).describe(
    'How often the gateway sends a heartbeat over WebSockets and event streams; clients take one for dead after 15 s',
  ),
  DRAIN_NOTICE_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(3_000)
    .describe(
      'How long a gateway serves as before after SIGTERM, while `/health/ready` answers 503: longer than load balancers need to notice it',
    ),
  MAX_UNSENT_MIB: z.coerce
    .number()
    .positive()
    .default(256)
    .describe(
      'The memory of a gateway for events that clients have not read. Above it the gateway closes the slowest clients, which resume',
    ),
  MAX_OPEN_REQUESTS_PER_ADDRESS: z.coerce
    .number()
    .int()
    .positive()
    .default(5_000)
    .describe(
      'How many requests, polls, streams and WebSockets of one network address a gateway has open at once; the users of an office can share one address',
    ),
  ANTI_ENTROPY_MS: Milliseconds.default(1_000).describe(
    'How often a gateway asks Postgres for entries that Redis did not deliver',
  ),
  LONG_WORK_WAIT_MS: Milliseconds.default(50_000).describe(
    'How long a request to delete a topic, or to mark many messages as read, waits before it answers that the work continues',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      description:
        'The OpenTelemetry collector (OTLP over HTTP) that gets a trace of each sent message: `http://127.0.0.1:4318`',
      unset: 'nothing is traced',
    }),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((part) => part.trim() !== ''))
    .refine((parts) => parts.every((part) => /^[^=]+=/.test(part)), 'must be name=value, separated by commas')
    .transform((parts) =>
      Object.fromEntries(
        parts.map((part) => {
          const at = part.indexOf('=')
          return [part.slice(0, at).trim(), part.slice(at + 1).trim()]
        }),
      ),
    )
    .meta({
      description: 'Headers of the requests to the collector: `name=value`, separated by commas',
      unset: 'none',
    }),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('The share of messages that is traced, from 0 to 1'),
  AUDIT_LOG_DAYS: Days.default(730).describe('How long records of administrative acts are kept'),
  LOG_RETENTION_DAYS: Days.default(8).describe('How long entries are kept for clients that resume'),
})

export type Config = Readonly<z.infer<typeof Config>>

/** The configuration, including the rules between two variables. */
const CheckedConfig = Config.refine(
  (values) => (values.S3_ACCESS_KEY_ID === undefined) === (values.S3_SECRET_ACCESS_KEY === undefined),
  {
    path: ['S3_SECRET_ACCESS_KEY'],
    message: 'must be set together with S3_ACCESS_KEY_ID',
  },
)
  .refine(
    (values) =>
      values.S3_BUCKET !== undefined || (values.S3_ENDPOINT === undefined && values.S3_ACCESS_KEY_ID === undefined),
    {
      path: ['S3_BUCKET'],
      message:
        'must be set together with S3_ENDPOINT and S3_ACCESS_KEY_ID: without it, files are stored in UPLOADS_DIR',
    },
  )
  .refine((values) => (values.CAMO_URI === undefined) === (values.CAMO_KEY === undefined), {
    path: ['CAMO_KEY'],
    message: 'must be set together with CAMO_URI',
  })

/**
 * Checks the variables in `env` and returns the configuration, frozen. Throws a ConfigError whose message names every
 * wrong variable.
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = CheckedConfig.safeParse(given, {
    error: (issue) => (issue.input === undefined ? 'is required' : undefined),
  })
  if (!parsed.success) throw new ConfigError(parsed.error)
  return Object.freeze(parsed.data)
}

/** Lists what the operator should look at, as sentences. The configuration can be used nevertheless. */
export function findConfigWarnings(
  config: Pick<Config, 'TRUSTED_PROXIES'>,
  env: Record<string, string | undefined> = process.env,
): string[] {
  const wide = config.TRUSTED_PROXIES.filter((network) => {
    const [address = '', bits] = network.split('/')
    return bits !== undefined && Number(bits) < (address.includes(':') ? 7 : 8)
  })
  const trust = wide.map(
    (network) =>
      `TRUSTED_PROXIES: ${network} contains most addresses, so each client can choose the address that it is counted by.` +
      ' Name only the proxies.',
  )
  return [...trust, ...findUnknownVariables(env, [...Object.keys(Config.shape), ...READ_ELSEWHERE])]
}

/** Variables of the program that its libraries and Node read. */
const READ_ELSEWHERE = ['UWS_HTTP_MAX_HEADERS_SIZE', 'NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS']

/** Returns the configuration of this process. Prints what is wrong on stderr and exits with code 1, if anything is. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const unsupported = explainUnsupportedNode(process.versions.node)
  if (unsupported !== undefined) {
    process.stderr.write(`${unsupported}\n`)
    process.exit(1)
  }
  try {
    return parseConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

/** At least one variable is missing or has a wrong value. The message names every such variable. */
export class ConfigError extends Error {
  constructor(cause: z.ZodError) {
    super(`The configuration is wrong:\n${z.prettifyError(cause)}`, { cause })
    this.name = 'ConfigError'
  }
}
