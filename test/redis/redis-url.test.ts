/** The forms of REDIS_URL, and what the configuration says about wrong ones. */
import { expect, test } from 'vitest'
import { parseConfig } from '../../src/config/config.js'
import { parseRedisUrl } from '../../src/domain/deployment/redis-url.js'

const messageFor = (REDIS_URL: string): string => {
  try {
    parseConfig({ DATABASE_URL: 'postgres://a', SECRET_KEY: '9f4b0c7de1a6528334bd7e90c1f5a2d86c', REDIS_URL })
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

test('One server has a host, a port, a login and a database.', () => {
  expect(parseRedisUrl('redis://localhost')).toMatchObject({
    kind: 'single',
    hosts: [{ host: 'localhost', port: 6379 }],
    username: undefined,
    password: undefined,
    database: 0,
    tls: undefined,
  })
  expect(parseRedisUrl('redis://:p%40ss@[::1]:7000/3')).toMatchObject({
    hosts: [{ host: '::1', port: 7000 }],
    username: undefined,
    password: 'p@ss',
    database: 3,
  })
  expect(parseRedisUrl('rediss://me:secret@r.example:1')).toMatchObject({
    username: 'me',
    password: 'secret',
    tls: { isNameChecked: true },
  })
})

test('A cluster has one or more nodes, and Sentinels have the name of a master.', () => {
  expect(parseRedisUrl('redis+cluster://:x@a,b:7001,c')).toMatchObject({
    kind: 'cluster',
    hosts: [
      { host: 'a', port: 6379 },
      { host: 'b', port: 7001 },
      { host: 'c', port: 6379 },
    ],
    password: 'x',
  })
  expect(
    parseRedisUrl('rediss+sentinel://me:x@a,b:7001/mymaster/2?sentinel_password=y&ssl_ca_certs=/ca.pem'),
  ).toMatchObject({
    kind: 'sentinel',
    hosts: [
      { host: 'a', port: 26_379 },
      { host: 'b', port: 7001 },
    ],
    username: 'me',
    password: 'x',
    database: 2,
    tls: { ca: '/ca.pem' },
    sentinel: { master: 'mymaster', username: undefined, password: 'y' },
  })
})

test.each([
  ['http://localhost', 'must begin with redis://'],
  ['redis://', 'must name hosts'],
  ['redis://:S3cret@a,b', 'write redis+cluster:// for a cluster'],
  ['redis+sentinel://:S3cret@a,b', 'needs the name of the master'],
  ['redis+cluster://:S3cret@a/1', 'only database 0'],
  ['redis://:S3cret@a?x=1', 'unknown option'],
  ['redis://:S3cret@a/x', 'the number of a database'],
  ['redis://:S3/cret@a', 'write @ as %40, / as %2F'],
  ['redis://:S3?cret@a', 'write @ as %40, / as %2F, ? as %3F'],
  ['redis://:S3%cret@a', '% as %25'],
  ['redis://:S3cret@a?ssl_ca_certs=/ca', 'begin with rediss'],
  ['rediss://:S3cret@a?ssl_ca_certs=/no/such/file', 'no such file'],
  ['rediss://:S3cret@a?ssl_keyfile=/key', 'ssl_certfile and ssl_keyfile together'],
  ['redis://:S3cret@a?sentinel_password=b', 'without redis+sentinel://'],
  ['redis://:S3cret@a:99999', 'must name hosts'],
])('The configuration refuses %s, and does not repeat the password.', (url, sentence) => {
  const message = messageFor(url)
  expect(message).toContain(sentence)
  expect(message).toContain('REDIS_URL')
  expect(message).not.toMatch(/S3|cret/)
})
