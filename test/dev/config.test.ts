import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Config, ConfigError, findConfigWarnings, parseConfig } from '../../src/config/config.js'
import { explainListening } from '../../src/config/listening.js'
import { writeConfigurationTable } from '../../src/dev/configuration-table.js'
import { root } from '../../src/dev/root.js'
import { findWeakness } from '../../src/domain/deployment/secret-strength.js'
import { openRandom } from '../setup/random.js'

const required = {
  DATABASE_URL: 'postgres://parley:secret@localhost:5432/parley',
  REDIS_URL: 'redis://localhost:6379',
  SECRET_KEY: randomBytes(32).toString('hex'),
}

describe('Secrets', () => {
  const random = (form: 'hex' | 'base64' | 'base64url', bytes = 32) => randomBytes(bytes).toString(form)
  const hint = 'Make one with: openssl rand -hex 32'

  test.each([
    ['the example of the Kubernetes manifests', 'replace-with-64-random-hexadecimal-digits'],
    ['a repeated character', 'x'.repeat(64)],
    ['a repeated piece', '0a9f8b7c'.repeat(8)],
    ['a repeated half', random('hex', 16).repeat(2)],
    ['a sequence', '0123456789abcdefghijklmnopqrstuvwxyz'],
    ['words', 'correct-horse-battery-staple-again-now'],
    ['words without blanks', 'themeetingstartsonmondayintheothercity'],
    ['a known sentence', 'thequickbrownfoxjumpsoverthelazydogs'],
    ['a walk over the keyboard', '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9'],
    ['a password', 'my-very-secret-password-for-the-server-2026'],
    ['31 characters', random('hex').slice(0, 31)],
  ])('The configuration refuses a secret that is %s.', (_, secret) => {
    const message = messageFor({ ...required, SECRET_KEY: secret })
    expect(message).toContain(hint)
    expect(message).toContain('SECRET_KEY')
    expect(message).not.toContain(secret)
    expect(messageFor({ ...required, JWT_KEYS: `acme=${secret}` })).toContain('JWT_KEYS')
  })

  test('The configuration accepts random secrets, as openssl makes them.', () => {
    // From a seed: it refuses one of four million, such as one with 0123456, and other ones would fail at times.
    const { integer } = openRandom(32)
    const bytes = (count: number) => Buffer.from(Array.from({ length: count }, () => integer(0, 255)))
    for (let n = 0; n < 5_000; n++) {
      const secrets = [bytes(32).toString('hex'), bytes(16).toString('hex')]
      secrets.push(bytes(32).toString('base64'), bytes(24).toString('base64url'))
      for (const secret of secrets) expect([secret, findWeakness(secret)]).toEqual([secret, undefined])
    }
  })

  test('Several secrets are separated by commas or blanks, and each must be strong.', () => {
    const [one, two] = [random('hex'), random('hex')]
    for (const SECRET_KEY of [`${one},${two}`, `${one} ${two}`, ` ${one}, ${two}\n`]) {
      expect(parseConfig({ ...required, SECRET_KEY }).SECRET_KEY).toEqual([one, two])
    }
    expect(messageFor({ ...required, SECRET_KEY: `${one},${'x'.repeat(32)}` })).toContain(
      'Secret 2 of 2 repeats itself',
    )
  })

  test('The configuration refuses every secret in the documents and manifests.', () => {
    const files = [
      ...['README.md', 'CONTRIBUTING.md', 'docs/configuration.md', 'docs/install.md'],
      ...['deploy/compose.yaml', 'deploy/kubernetes/configuration.yaml'],
    ]
    for (const file of files) {
      const text = readFileSync(join(root, file), 'utf8')
      for (const [, secret = ''] of text.matchAll(/SECRET_KEY[:=] ?['"]?([\w,-]{16,})/g)) {
        expect(messageFor({ ...required, SECRET_KEY: secret }), file).toContain(hint)
      }
    }
  })
})

describe('The configuration', () => {
  test('A server for uploaded files without a bucket is refused, by the name of the missing variable.', () => {
    const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }
    for (const given of [{ S3_ENDPOINT: 'http://minio:9000' }, keys]) {
      expect(messageFor({ ...required, ...given })).toMatch(/must be set together with S3_ENDPOINT.*\n.*S3_BUCKET/)
      expect(parseConfig({ ...required, ...given, S3_BUCKET: 'files' }).S3_BUCKET).toBe('files')
    }
  })

  test('The configuration needs a database, a Redis and a secret, and has defaults for the rest.', () => {
    expect(parseConfig(required)).toMatchObject({
      ...required,
      SECRET_KEY: [required.SECRET_KEY],
      HOST: '127.0.0.1',
      PORT: 9991,
      RATE_LIMITS: 'on',
    })
  })

  test('The error names every invalid variable at once.', () => {
    const wrong = { ...required, SECRET_KEY: 'short', PORT: '99999', NODE_ENV: 'staging', DATABASE_URL: 'mysql://x' }
    const message = messageFor(wrong)
    for (const name of ['SECRET_KEY', 'PORT', 'NODE_ENV', 'DATABASE_URL']) expect(message).toContain(name)
    expect(message).not.toContain('REDIS_URL')
  })

  test.each([
    ['postgres://u:p@a,b:5433/db', 'accepts two servers'],
    [
      'postgresql://u:p%40x@[::1]:5432,b/db?sslmode=require&target_session_attrs=read-write',
      'accepts what libpq accepts',
    ],
    ['postgres://u:p@a,/db', 'DATABASE_URL'],
    ['postgres://u:p@a:x,b/db', 'DATABASE_URL'],
    ['postgres://u:p@a,b/db?target_session_attrs=standby', 'target_session_attrs=read-write'],
  ])('The URL of Postgres %s: %s.', (DATABASE_URL, expected) => {
    if (expected.startsWith('accepts'))
      return expect(parseConfig({ ...required, DATABASE_URL }).DATABASE_URL).toBe(DATABASE_URL)
    return expect(messageFor({ ...required, DATABASE_URL })).toContain(expected)
  })

  test.each([
    ['postgres', 'DATABASE_URL'],
    ['postgres', 'DATABASE_READ_URL'],
    ['redis', 'REDIS_URL'],
    ['redis+sentinel', 'REDIS_URL'],
    ['smtp', 'SMTP_URL'],
  ])(
    'A password in a %s URL that is not encoded is refused with a hint, and no part of it is printed (%s).',
    (scheme, name) => {
      for (const password of [
        'hunt@er',
        'hun/ter',
        'hun#ter',
        'hun?ter',
        '12/34',
        'hun%ter',
        '@hunter',
        'a@b/c',
        'hun@12',
        '%zz',
      ]) {
        const message = messageFor({ ...required, [name]: `${scheme}://parley:${password}@db.test:99/1` })
        expect(message, password).toMatch(/write @ as %40/)
        expect(message, password).toContain(`at ${name}`)
        expect(message, password).not.toMatch(/hun|ter|12|34|zz|parley:/)
      }
      const encoded = `${scheme}://parley:${encodeURIComponent('h@/#?%')}@db.test:99/1${scheme === 'redis+sentinel' ? '/0' : ''}`
      expect(parseConfig({ ...required, [name]: encoded })).toMatchObject({ [name]: encoded })
    },
  )

  test.each([
    ['PUBLIC_URL', 'https://chat.test/parley', /no path/],
    ['PUBLIC_URL', 'https://chat.test/?a=b', /no path, query/],
    ['PUBLIC_URL', 'https://chat.test/#', /no path, query/],
    ['PUBLIC_URL', 'https://me:secret@chat.test', /query or login/],
    ['MAIL_FROM', 'Parley', /must be an address/],
    ['MAIL_FROM', 'Parley <noreply>', /must be an address/],
    ['MAIL_FROM', 'Parley <a@b.test> c', /must be an address/],
    ['ROOT_REALM', 'Example', /string_id.*small letters/],
    ['ROOT_REALM', 'example.com', /string_id/],
    ['ROOT_REALM', '-a', /string_id/],
    ['LOG_IN_METHODS', 'company', /must be a list in JSON/],
    ['LOG_IN_METHODS', '[{"key":"1","name":"A","issuer":"https://a.example","client_id":"a"}]', /small letters/],
    ['LOG_IN_METHODS', '[{"key":"a","name":"A","issuer":"https://a.example"}]', /client_id/],
    [
      'LOG_IN_METHODS',
      JSON.stringify(['A', 'B'].map((name) => ({ key: 'a', name, issuer: 'https://a.example', client_id: 'a' }))),
      /has two methods with the key a/,
    ],
    ['LDAP_DIRECTORIES', 'company', /must be a list in JSON/],
    ...(
      [
        [{ url: 'http://ldap.example' }, /url/],
        [{ url: 'ldap://ldap.example/dc=example' }, /a host and a port only/],
        [{ url: 'ldaps://ldap.example', security: 'plain' }, /ldaps:\/\/ is not plain/],
        [{ url: 'ldap://ldap.example', security: 'tls' }, /tls needs/],
        [{ bind_dn: 'cn=a' }, /set together/],
        [{ bind_password: 'a-secret' }, /set together/],
        [{ bind_dn: 'cn=a', bind_password_file: '/nowhere' }, /nowhere/],
        [{ log_in_filter: '(uid=ada)' }, /must have \{login\}/],
        [{ user_filter: 'uid=*' }, /in brackets/],
        [{ synchronization: { mapping: { other_role: 'owner' } } }, /other_role/],
        [{ unknown: 1 }, /unknown/],
      ] as const
    ).map(([more, expected]): [string, string, RegExp] => [
      'LDAP_DIRECTORIES',
      JSON.stringify([{ key: 'a', name: 'A', url: 'ldaps://ldap.example', base_dn: 'dc=a', ...more }]),
      expected,
    ]),
    ['JWT_KEYS', 'acme=short', /The secret of acme must have at least 32/],
    ['JWT_KEYS', `acme=${'a'.repeat(40)} second=short`, /The secret of second must/],
    ['JWT_KEYS', `${'Zk3'.repeat(14)}`, /Part 1 of 1 does not begin with an organization/],
    ['JWT_KEYS', `=${'Zk3'.repeat(14)}`, /Part 1 of 1 does not begin with an organization/],
  ])('%s=%s is refused.', (name, value, expected) => {
    const message = messageFor({ ...required, [name]: value })
    expect(message).toMatch(expected)
    expect(message).toContain(`at ${name}`)
    expect(message).not.toMatch(/Zk3|:secret|=short/)
  })

  test.each([
    ['PUBLIC_URL', 'https://chat.test'],
    ['PUBLIC_URL', 'https://chat.test:8443/'],
    ['MAIL_FROM', 'noreply@chat.test'],
    ['MAIL_FROM', 'Parley <noreply@chat.test>'],
    ['MAIL_FROM', '"Parley, the chat" <noreply@chat.test>'],
    ['ROOT_REALM', 'example-2'],
  ])('%s=%s is accepted.', (name, value) => {
    expect(parseConfig({ ...required, [name]: value })).toMatchObject({ [name]: value })
  })

  test('Misspelt variables, unknown ones like those of the server, and proxies that are everyone are warned of.', () => {
    const warnings = (env: Record<string, string>, TRUSTED_PROXIES: string[] = []) =>
      findConfigWarnings({ TRUSTED_PROXIES }, env)
    for (const [name, meant] of [
      ['SMPT_URL', 'SMTP_URL'],
      ['DATABASE_URI', 'DATABASE_URL'],
      ['PUBLICURL', 'PUBLIC_URL'],
      ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
      ['public_url', 'PUBLIC_URL'],
      ['PARLEY_PUBLIC_URL', 'PUBLIC_URL'],
      ['LOGLEVEL', 'LOG_LEVEL'],
      ['PROT', 'PORT'],
    ] as const)
      expect(warnings({ [name]: 'x' }), name).toEqual([expect.stringContaining(`Did you mean ${meant}?`)])
    for (const name of ['SMTP_PASSWORD', 'PARLEY_COLOUR', 'S3_PREFIX', 'MAIL_HOST'])
      expect(warnings({ [name]: 'x' }), name).toEqual([expect.stringMatching(`${name}: there is no variable`)])
    const usual = {
      HOME: '/',
      HOSTNAME: 'a',
      PATH: '/bin',
      PARLEY_SERVICE_HOST: '1',
      PARLEY_PORT_9991_TCP_ADDR: '1',
      EMPTY: '',
    }
    expect(
      warnings({ ...usual, PARLEY_PORT: 'tcp://10.0.0.1:9991', REDIS_PORT: 'tcp://1', PORT: '1', MAIL: '/var' }),
    ).toEqual([])
    expect(warnings({}, ['0.0.0.0/0', '10.0.0.0/8', '::/0', '172.16.0.0/12', 'fd00::/8', '1.2.3.4'])).toEqual([
      expect.stringMatching(/^TRUSTED_PROXIES: 0\.0\.0\.0\/0 /),
      expect.stringMatching(/^TRUSTED_PROXIES: ::\/0 /),
    ])
  })

  test('A host that does not exist, or is not of this machine, is named with its variable.', async () => {
    const operations = { hostVariable: 'OPERATIONS_HOST', portVariable: 'OPERATIONS_PORT', port: 0 } as const
    const clients = { hostVariable: 'HOST', portVariable: 'PORT', port: 80 } as const
    expect(await explainListening({ ...clients, host: 'nowhere.invalid' })).toMatch(
      /HOST: there is no host named nowhere/,
    )
    expect(await explainListening({ ...operations, host: '192.0.2.1' })).toMatch(/OPERATIONS_HOST: .* is no address of/)
    expect(await explainListening({ ...clients, host: '127.0.0.1' }, 'EADDRINUSE')).toMatch(
      /PORT: check whether another/,
    )
  })

  test('The error says that a missing variable is required.', () => {
    expect(messageFor({ ...required, REDIS_URL: undefined })).toMatch(/is required\s+→ at REDIS_URL/)
  })

  test('An empty variable counts as not set.', () => {
    expect(parseConfig({ ...required, PORT: '', ROOT_REALM: '' })).toMatchObject({ PORT: 9991 })
    expect(messageFor({ ...required, SECRET_KEY: '' })).toContain('SECRET_KEY')
  })

  test('The key of an S3 bucket needs both of its parts.', () => {
    expect(messageFor({ ...required, S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'me' })).toContain('S3_SECRET_ACCESS_KEY')
    const both = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'me', S3_SECRET_ACCESS_KEY: 'secret' }
    expect(parseConfig({ ...required, ...both })).toMatchObject({ ...both, S3_REGION: 'us-east-1' })
  })

  test('The parsed configuration is frozen.', () => {
    expect(Object.isFrozen(parseConfig(required))).toBe(true)
  })

  test('The table of variables in docs/configuration.md is the one made from the schema.', () => {
    const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8')
    expect(page, 'docs/configuration.md is out of date: run `npm run docs`').toBe(writeConfigurationTable(page))
  })

  test('Every variable has a description, and the name of every number except the port and those of OpenTelemetry has its unit or what it counts.', () => {
    for (const [name, variable] of Object.entries(z.toJSONSchema(Config, { io: 'input' }).properties ?? {})) {
      const { description, type } = variable as { description?: string; type?: string }
      expect(description, name).toMatch(/\w/)
      if (/number|integer/.test(type ?? '') && !name.endsWith('PORT'))
        expect(name).toMatch(/_(MS|DAYS|MIB)$|^MAX_\w+_PER_|^OTEL_/)
    }
  })
})

function messageFor(env: Record<string, string | undefined>): string {
  try {
    parseConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'parseConfig accepted the configuration'
}
