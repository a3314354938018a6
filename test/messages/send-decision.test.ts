/** The decision about a send, without a database: its refusals, and what it says of the message that is stored. */
import { expect, test } from 'vitest'
import { BotType, Role, type UserRow } from '../../src/domain/log/rows.js'
import type { RealmState } from '../../src/domain/log/state.js'
import { render } from '../../src/domain/markdown/render.js'
import {
  admitMessage,
  decideSend,
  dependsOnFirst,
  type OutgoingMessage,
  type SendFacts,
} from '../../src/domain/messages/sending/send-decision.js'
import { buildRenderContext } from '../../src/domain/rendering/message-render-context.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { StateBuilder } from '../setup/realm/state-builder.js'

const GUARD = 7
const DM_ID = 12

/** Admits a message, and decides about it on facts that a test may replace. */
const send = (
  state: RealmState,
  outgoing: Omit<OutgoingMessage, 'client'>,
  facts: Partial<SendFacts> = {},
  isKnown: (user: UserRow) => boolean = () => true,
) => {
  const admitted = admitMessage(state, { client: 'test', ...outgoing }, isKnown)
  const { content, place } = admitted
  const context = buildRenderContext(state, outgoing.sender, { realm_url: undefined, isKnown })
  return decideSend(state, GUARD, admitted, {
    location: 'channel' in place ? place : { dm_id: DM_ID, participants: place.participants },
    is_first: false,
    rendered: render(content, context),
    topicParticipants: [],
    unknowing: [],
    submessage_id: 0,
    ...facts,
  })
}

/** A channel in which only owners begin topics, and a member of it. */
const openChannel = () => {
  const builder = new StateBuilder()
  const ada = builder.user({ full_name: 'Ada' })
  const channel = builder.channel({ name: 'design', can_create_topic_group: SystemGroup.owners })
  builder.subscribe(ada, channel)
  return { builder, state: builder.state, ada, channel, to: { channel: 'design', topic: ' logo ' } }
}

test('A message to a channel is decided with its guard, its normalized topic and text, and its HTML.', () => {
  const { state, ada, channel, to } = openChannel()
  const { message, jobs, begins } = send(state, { sender: ada, to, content: '\n*hello* ' })
  expect(message).toMatchObject({
    guard: GUARD,
    message: { channel_id: channel.id, dm_id: null, topic: 'logo', content: '*hello*' },
    flags: [],
  })
  expect(message.message.rendered_content).toBe('<p><em>hello</em></p>')
  expect({ jobs, begins }).toEqual({ jobs: [], begins: undefined })
})

test('Of several refusals, the sender gets the first one in the order of the checks.', () => {
  const { builder, state, ada, to } = openChannel()
  builder.group({ name: 'board', can_mention_group: SystemGroup.nobody })
  const tooLargeWhenRendered = '🎄'.repeat(9_900)
  const wrong = { sender: ada, to, content: `${tooLargeWhenRendered} @*board*`, widget_content: 'no' }
  expect(() => send(state, wrong, { is_first: true })).toThrow('You may not begin topics in this channel')
  expect(() => send(state, wrong)).toThrow('Invalid widget_content: it must be JSON.')
  const withoutWidget = { ...wrong, widget_content: undefined }
  expect(() => send(state, withoutWidget)).toThrow('This message is too long once rendered')
  expect(() => send(state, { ...withoutWidget, content: '@*board*' })).toThrow('may not mention the group “board”')
})

test('A refusal that the state decides alone needs no facts.', () => {
  const { state, ada } = openChannel()
  const admit = (outgoing: Pick<OutgoingMessage, 'to' | 'content'>, isKnown = true) =>
    admitMessage(state, { sender: ada, client: 'test', ...outgoing }, () => isKnown)
  const nowhere = { channel: 'nowhere', topic: 'a\u0007' }
  expect(() => admit({ to: nowhere, content: '' })).toThrow('The topic contains a character')
  expect(() => admit({ to: { ...nowhere, topic: 'a' }, content: '' })).toThrow('A message needs a text.')
  expect(() => admit({ to: { ...nowhere, topic: 'a' }, content: 'a' })).toThrow('no channel named “nowhere”')
  expect(() => admit({ to: { users: [ada] }, content: 'a' }, false)).toThrow('some of these recipients')
})

test('The decision asks whether a message is the first one only if the sender may not begin, or a guest may gain access.', () => {
  const builder = new StateBuilder({
    can_access_all_users_group: SystemGroup.members,
    direct_message_initiator_group: SystemGroup.owners,
  })
  const { state } = builder
  const [owner, member] = [builder.user({ role: Role.owner }), builder.user()]
  const guest = builder.user({ role: Role.guest })
  const asks = (sender: UserRow, other: UserRow) =>
    dependsOnFirst(
      state,
      admitMessage(state, { sender, to: { users: [other] }, content: 'a', client: 'test' }, () => true).place,
    )
  expect(asks(owner, member)).toBe(false)
  expect(asks(member, owner)).toBe(true)
  expect(asks(owner, guest)).toBe(true)
})

test('The first direct message to a restricted guest begins a conversation that makes users known to each other.', () => {
  const builder = new StateBuilder({ can_access_all_users_group: SystemGroup.members })
  const [ada, guest] = [builder.user(), builder.user({ role: Role.guest })]
  const outgoing = { sender: guest, to: { users: [ada] }, content: 'hello' }
  const decide = (is_first: boolean) => send(builder.state, outgoing, { is_first })
  expect(decide(true).begins).toEqual({ dm_id: DM_ID, user_ids: [ada.id, guest.id] })
  expect(decide(false).begins).toBeUndefined()
  expect(decide(false).message.message).toMatchObject({ dm_id: DM_ID, channel_id: null, topic: '' })
})

test('A user who may only answer in a conversation cannot begin one.', () => {
  const builder = new StateBuilder({ direct_message_initiator_group: SystemGroup.owners })
  const [ada, grace] = [builder.user(), builder.user()]
  const outgoing = { sender: ada, to: { users: [grace] }, content: 'hello' }
  expect(() => send(builder.state, outgoing, { is_first: true })).toThrow('only answer in one')
  expect(() => send(builder.state, outgoing)).not.toThrow()
})

test('A guest who may not know the sender sees an unknown user instead.', () => {
  const { state, ada, to } = openChannel()
  const { message } = send(state, { sender: ada, to, content: 'hello' }, { unknowing: [4] })
  expect(message.data).toMatchObject({
    masked: { users: [4], sender: { sender_id: ada.id, sender_full_name: 'Unknown user' } },
  })
})

test('A command makes a widget, whose submessage has the id that was loaded.', () => {
  const { state, ada, to } = openChannel()
  const { message } = send(state, { sender: ada, to, content: '/poll Tea?\nyes' }, { submessage_id: 31 })
  expect(message.submessages).toMatchObject([{ id: 31, sender_id: ada.id, msg_type: 'widget' }])
})

test('A mention of an outgoing webhook causes the call of its server.', () => {
  const { builder, state, ada, to } = openChannel()
  const bot = builder.user({ full_name: 'Robo', is_bot: true, bot_type: BotType.outgoingWebhook })
  const { jobs } = send(state, { sender: ada, to, content: '@**Robo** hello', realm_url: 'https://chat.example' })
  expect(jobs).toEqual([
    {
      kind: 'outgoing_webhook',
      payload: { bot_id: bot.id, trigger: 'mention', realm_url: 'https://chat.example' },
    },
  ])
})
