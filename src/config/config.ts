import { z } from 'zod'
import { ratesIn } from '../domain/limits/rates.js'
import { isNetwork } from '../domain/net/addresses.js'

/** A port a server may bind; 0 asks the system for a free one. */
const Port = z.coerce.number().int().min(0).max(65535)
const Milliseconds = z.coerce.number().int().positive()
const Networks = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
  .refine((parts) => parts.every(isNetwork), 'must be addresses or networks like 10.0.0.0/8, separated by commas')

/**
 * Everything a Parley process can be told, one environment variable each.
 *
 * This is the only file that reads the environment. An empty string counts as unset, because that is what
 * compose files and Kubernetes templates leave behind for a value nobody filled in.
 */
export const Config = z.object({
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .describe('Postgres, the one source of truth: postgres://user:password@host:5432/database'),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .describe('Redis, which carries events between gateways: redis://host:6379'),
  HOST: z.string().min(1).default('127.0.0.1').describe('The address the gateway binds; 0.0.0.0 for all'),
  PORT: Port.default(9991).describe('The port the gateway binds; 0 for any free one'),
  SECRET_KEY: z
    .string()
    .min(32, 'must be at least 32 characters')
    .describe('API keys and tokens derive from it; changing it revokes all of them'),
  BASE_DOMAIN: z.hostname().default('localhost').describe('The host <realm>.<BASE_DOMAIN> selects a realm'),
  ROOT_REALM: z.string().optional().describe('string_id of the realm served on every other host name'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('The realm_url of the root realm; default http://HOST:PORT'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('The least severe log line to write'),
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .default('production')
    .describe('test checks every response against its schema'),
  RATE_LIMITS: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Whether callers are limited in what they may do how often'),
  RATES: z
    .string()
    .default('')
    .superRefine((text, context) => {
      try {
        ratesIn(text)
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message })
      }
    })
    .describe('Other limits than the default ones: api_by_user=400/60 api_by_ip=50/60,1000/3600'),
  TRUSTED_PROXIES: Networks.describe('The proxies whose X-Forwarded-For says where a request comes from'),
  WEB_PUBLIC_STREAMS_ENABLED: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Whether organizations may let people without accounts look at channels'),
  JWT_KEYS: z
    .string()
    .default('')
    .transform((text) => text.split(/\s+/).filter((part) => part !== ''))
    .refine(
      (parts) => parts.every((part) => /^[\w-]+=.{32,}$/.test(part)),
      'must be <organization>=<secret>, with secrets of at least 32 characters, separated by spaces',
    )
    .transform(
      (parts) => new Map(parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)])),
    )
    .describe('Organizations and the secrets of sites that vouch for accounts: acme=<32 or more characters>'),
  WEBHOOK_NETWORKS: Networks.describe(
    'Private networks that outgoing webhooks may call; public addresses they always may',
  ),
  INLINE_URL_EMBED_PREVIEW: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Whether pages that messages link to are fetched, for organizations that want previews of them'),
  PREVIEW_NETWORKS: Networks.describe('Private networks whose pages may be fetched; public ones always may'),
  CAMO_URI: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('The proxy through which clients load pictures of other sites: https://camo.example/'),
  CAMO_KEY: z.string().min(1).optional().describe('The key that this proxy checks its addresses by'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe('Where mail goes: smtp://user:password@host:587; without it into MAIL_OUTBOX'),
  MAIL_FROM: z.string().optional().describe('The sender of mail; default Parley <noreply@BASE_DOMAIN>'),
  MISSED_MESSAGE_MAILS: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Whether people who are away are told by mail of messages to them; in production with SMTP_URL only'),
  MAIL_OUTBOX: z.string().default('.data/outbox').describe('The folder of mail where there is no SMTP_URL'),
  UPLOADS_DIR: z
    .string()
    .default('.data/uploads')
    .describe('The folder of uploaded files, one for all gateways and workers; unused with S3_BUCKET'),
  S3_BUCKET: z.string().min(3).optional().describe('The bucket of uploaded files, instead of UPLOADS_DIR'),
  S3_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('A server that speaks S3, such as MinIO; default Amazon'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('The region of the bucket'),
  S3_ACCESS_KEY_ID: z.string().optional().describe('Who opens the bucket; default what the machine offers'),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe('The secret of S3_ACCESS_KEY_ID'),
  MAX_FILE_UPLOAD_SIZE_MIB: z.coerce
    .number()
    .int()
    .min(1)
    .max(256, 'may be 256 at most: a gateway holds what it receives in memory')
    .default(25)
    .describe('The size of the largest file that may be uploaded'),
  UNCLAIMED_UPLOADS_DAYS: z.coerce
    .number()
    .positive()
    .default(35)
    .describe('How long an uploaded file is kept that no message, draft or message to be sent leads to'),
  POLL_HEARTBEAT_MS: Milliseconds.default(45_000).describe(
    'How long a connection stays silent before it gets a heartbeat',
  ),
  ANTI_ENTROPY_MS: Milliseconds.default(1_000).describe('How often a gateway asks Postgres whether it missed an entry'),
  LONG_WORK_WAIT_MS: Milliseconds.default(50_000).describe(
    'How long a request to delete a topic, or to mark much as read, waits for the end before it answers that it goes on',
  ),
  LOG_RETENTION_DAYS: z.coerce
    .number()
    .positive()
    .default(8)
    .describe('How long entries are kept for clients that resume'),
})

export type Config = Readonly<z.infer<typeof Config>>

/** What one variable demands of another. */
const Whole = Config.refine(
  (one) => (one.S3_ACCESS_KEY_ID === undefined) === (one.S3_SECRET_ACCESS_KEY === undefined),
  {
    path: ['S3_SECRET_ACCESS_KEY'],
    message: 'must be set together with S3_ACCESS_KEY_ID',
  },
).refine((one) => (one.CAMO_URI === undefined) === (one.CAMO_KEY === undefined), {
  path: ['CAMO_KEY'],
  message: 'must be set together with CAMO_URI',
})

/**
 * The configuration in `env`, checked and frozen.
 * @throws ConfigError whose message names every wrong variable
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = Whole.safeParse(given, {
    error: (issue) => (issue.input === undefined ? 'is required' : undefined),
  })
  if (!parsed.success) throw new ConfigError(parsed.error)
  return Object.freeze(parsed.data)
}

/** The configuration of this process; a wrong one is told on stderr and ends the process with code 1. */
export function loadConfig(env: Record<string, string | undefined> = process.env): Config {
  try {
    return parseConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

/** The environment asks for something this program cannot do. */
export class ConfigError extends Error {
  constructor(cause: z.ZodError) {
    super(`The configuration is wrong:\n${z.prettifyError(cause)}`, { cause })
    this.name = 'ConfigError'
  }
}
