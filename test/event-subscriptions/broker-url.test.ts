/** The settings of the brokers to which event subscriptions deliver, and what topics an organization may use. */
import { expect, test } from 'vitest'
import { parseConfig } from '../../src/config/config.js'
import { parseBrokerUrl } from '../../src/domain/deployment/broker-url.js'
import { isOwnTopic } from '../../src/domain/event-subscriptions/topics.js'
import { call } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'

const messageFor = (variables: Record<string, string>): string => {
  const needed = {
    DATABASE_URL: 'postgres://a',
    SECRET_KEY: '9f4b0c7de1a6528334bd7e90c1f5a2d86c',
    REDIS_URL: 'redis://a',
  }
  try {
    parseConfig({ ...needed, ...variables })
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

test('The URL of a broker has servers, a login and files.', () => {
  expect(parseBrokerUrl('nats', 'nats://a,b:5000')).toMatchObject({
    hosts: [
      { host: 'a', port: 4222 },
      { host: 'b', port: 5000 },
    ],
    login: undefined,
    password: undefined,
    tls: undefined,
  })
  expect(parseBrokerUrl('nats', 'nats+tls://t%40ken@[::1]?tls_ca=/ca.pem&credentials=/parley.creds')).toMatchObject({
    hosts: [{ host: '::1', port: 4222 }],
    login: 't@ken',
    password: undefined,
    credentials_file: '/parley.creds',
    tls: { ca: '/ca.pem' },
  })
  expect(parseBrokerUrl('kafka', 'kafka+tls://me:p%40ss@a,b?mechanism=plain&tls_cert=/c&tls_key=/k')).toMatchObject({
    hosts: [
      { host: 'a', port: 9092 },
      { host: 'b', port: 9092 },
    ],
    login: 'me',
    password: 'p@ss',
    mechanism: 'PLAIN',
    tls: { ca: undefined, cert: '/c', key: '/k' },
  })
})

test.each([
  ['EVENT_NATS_URL', 'kafka://a', 'must begin with nats:// or nats+tls://'],
  ['EVENT_NATS_URL', 'nats://a/orders', 'have no path'],
  ['EVENT_NATS_URL', 'nats://a?tls_ca=/ca.pem', 'has tls_ca without TLS: begin with nats+tls'],
  ['EVENT_NATS_URL', 'nats://me:se@cret@a', 'is not encoded'],
  ['EVENT_NATS_URL', 'nats://a:99999', 'must name hosts as host or host:port'],
  ['EVENT_NATS_URL', 'nats://a?credentials=/nowhere/parley.creds', '/nowhere/parley.creds'],
  ['EVENT_KAFKA_URL', 'kafka://me@a', 'has a user name without a password'],
  ['EVENT_KAFKA_URL', 'kafka://me:secret@a?mechanism=md5', 'must have one of these as mechanism'],
  ['EVENT_KAFKA_URL', 'kafka://me:secret@a?retries=3', 'has an unknown option'],
  ['EVENT_KAFKA_URL', 'kafka+tls://a?tls_cert=/c', 'must have tls_cert and tls_key together'],
  ['EVENT_TOPIC_PREFIX', 'parley {realm_id}', 'must be letters, digits, hyphens and dots'],
  ['EVENT_TOPIC_PREFIX', '$JS.API.', 'must be letters, digits, hyphens and dots'],
])('A process does not start with the %s %s, and names no password.', (name, value, message) => {
  const found = messageFor({ [name]: value })
  expect(found).toContain(message)
  expect(found).not.toMatch(/se@?cret/)
})

test('The topics of an organization have its prefix, and only letters, digits, hyphens and underscores in their parts.', () => {
  const prefix = 'parley.{realm_id}.'
  for (const topic of ['parley.7.a', 'parley.7.tickets.new-ones_2']) expect(isOwnTopic(topic, prefix, 7)).toBe(true)
  const refused = [
    'parley.7.',
    'parley.71.a',
    'parley.8.a',
    'a',
    'parley.7.a..b',
    'parley.7.*',
    'parley.7.>',
    'parley.7.ä',
  ]
  for (const topic of refused) expect(isOwnTopic(topic, prefix, 7)).toBe(false)
  expect(isOwnTopic(`parley.7.${'a'.repeat(300)}`, prefix, 7)).toBe(false)
})

test('A subscription to a broker that the operator has not set up is refused.', async () => {
  await using s = await newRealmWith('Owner')
  for (const sink of ['nats', 'kafka']) {
    const subscription = { name: 'Tickets', sink, address: 'parley.1.tickets' }
    expect(await readRefusal(call(s.owner, 'POST', '/event_subscriptions', subscription))).toEqual(
      badRequest(`This server delivers no events to ${sink}.`),
    )
  }
})
