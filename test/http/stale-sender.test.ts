/** A sender's row is read before the rate limit is asked: what happens to the sender in between must count. */
import { pino } from 'pino'
import { expect, inject, test } from 'vitest'
import { parseConfig } from '../../src/config/config.js'
import { Role, type UserRow } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { sendMessage } from '../../src/gateway/api/messages/messages.js'
import { openCallPipeline } from '../../src/gateway/call/call.js'
import type { App } from '../../src/gateway/contract/app.js'
import type { Bus } from '../../src/store/log/bus.js'
import { createChannel } from '../setup/realm/create-channel.js'
import { basicAuthorization } from '../setup/realm/event-reader.js'
import { newRealm, type Person, type TestRealm } from '../setup/realm/realm.js'
import { updateChannelRow, updateUserRow, withWriteContext } from '../setup/realm/row-changes.js'

/** Sends a message through a pipeline in this process, whose rate limit awaits `whileCounted` before it resolves. */
const sendWhile = async (test: TestRealm, sender: Person, whileCounted: () => Promise<void>) => {
  const config = parseConfig({
    DATABASE_URL: inject('database_url'),
    REDIS_URL: inject('redis_url'),
    SECRET_KEY: inject('secret_key'),
    BASE_DOMAIN: inject('base_domain'),
    NODE_ENV: 'test',
  })
  const { sql, realm } = test
  const realms = { find: async () => realm, loaded: () => [realm].values() }
  const dependencies = { ...test.writing, bus: { publish() {} } as unknown as Bus }
  const app = { config, log: pino({ level: 'silent' }), store: { sql, realms } } as unknown as App
  const pipeline = openCallPipeline(app, dependencies, {
    async rateLimit() {
      await whileCounted()
      return undefined
    },
    heavyCalls: undefined,
    observe() {},
    onSessionUse() {},
    onKeyUse() {},
  })
  const fields = { type: 'channel', to: 'announcements', topic: 'today', content: 'Hello' }
  return pipeline.call('sendMessage', sendMessage, {
    transport: 'http',
    host: test.host,
    ip: '127.0.0.1',
    userAgent: 'test',
    acceptLanguage: '',
    idempotencyKey: '',
    query: '',
    authorization: basicAuthorization(sender),
    session: undefined,
    logInFlow: undefined,
    isFromForeignPage: false,
    fields,
    encoding: 'text',
    path: {},
    files: [],
  })
}

test.each<[string, Partial<UserRow>, string]>([
  ['deactivated', { is_active: false }, 'UNAUTHORIZED'],
  ['demoted', { role: Role.member }, 'BAD_REQUEST'],
])(
  'A sender who is %s after their row was read and before the rate limit resolves has no message stored.',
  async (_, patch, code) => {
    await using realm = await newRealm()
    const [sender] = await realm.people({ full_name: 'Ada', role: Role.administrator })
    if (sender === undefined) throw new Error('no account was made')
    await withWriteContext(realm, (context) =>
      createChannel(context.dependencies, realm.realm, { name: 'announcements' }),
    )
    await updateChannelRow(realm, 'announcements', { can_send_message_group: SystemGroup.administrators })

    const reply = await sendWhile(realm, sender, () => updateUserRow(realm, sender.user_id, patch))

    const stored = await realm.sql`select from messages where realm_id = ${realm.realm_id}`
    expect(stored.count).toBe(0)
    expect(reply?.refusal?.code).toBe(code)
  },
)
