/**
 * The order of the checks of a message: a request that fails several checks gets the error of the first.
 *
 * Each list has the checks in their order, each with parameters that fail it. Every check is tried together with all
 * later ones that the same request can fail, and its error must be the answer.
 */
import { expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { SystemGroup } from '../../src/domain/settings/group-setting-values.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { type Answer, call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { updateChannelRow, updateRealmSettings, updateUserRow } from '../setup/realm/row-changes.js'

type Asked = Record<string, unknown>

interface Check {
  check: string
  msg: string
  /**
   * parameters that fail this check; if an earlier check of the same request sets the same parameter, that value is
   * used
   */
  wrong: Asked
  /** makes this check pass or fail from here on, for state that parameters cannot express */
  before?: () => Promise<unknown>
}

/**
 * Fails each check together with the later ones and compares which error was answered. A request that fails none
 * succeeds.
 */
const expectCheckOrder = async (
  checks: readonly Check[],
  right: Asked,
  ask: (asked: Asked) => Promise<Answer>,
): Promise<void> => {
  const found: string[] = []
  for (const [i, { before }] of checks.entries()) {
    await before?.()
    const wrongs = checks.slice(i).map(({ wrong }) => wrong)
    const asked: Asked = Object.assign({}, right, ...wrongs.reverse())
    found.push(String((await ask(asked)).body.msg))
  }
  const line = ({ check }: Check, msg: string) => `${check}: ${msg}`
  expect(checks.map((check, i) => line(check, found[i] ?? ''))).toEqual(checks.map((check) => line(check, check.msg)))
  expect(await ask(right)).toMatchObject({ status: 200 })
}

/** Within the maximum length of a message, and far beyond the maximum size as HTML. */
const tooLargeWhenRendered = '🎄'.repeat(9_900)
const tooLongError = 'This message is too long once rendered: shorten it.'
const topicRequiredError = 'Messages in this channel need a topic: general chat is not accepted.'
const crowd = Array.from({ length: 14 }, (_, i) => `Member ${i}`)

/** Creates a group that no user may mention. */
const createUnmentionableGroup = (by: Person) =>
  ok(by, 'POST', '/user_groups/create', {
    name: 'board',
    description: '',
    members: [],
    can_mention_group: SystemGroup.nobody,
  })

test('The checks of a channel message run in the documented order.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', ...crowd)
  await using _ = realm
  const [ada] = people as [Person]
  for (const name of ['design', 'closed', 'old']) await createChannel(ada, name, people)
  await createUnmentionableGroup(ada)
  await Promise.all(people.map((one) => postMessage(one, 'design', 'logo')))
  await updateRealmSettings(realm, { topics_policy: 'disable_empty_topic' })
  await updateChannelRow(realm, 'closed', { can_send_message_group: SystemGroup.nobody, is_archived: true })
  await updateChannelRow(realm, 'old', { is_archived: true })
  const checks: Check[] = [
    { check: '1 parameters', msg: 'read_by_sender must be valid JSON.', wrong: { read_by_sender: 'perhaps' } },
    { check: '2 recipients', msg: 'Send exactly one channel in the parameter to.', wrong: { to: '["design","old"]' } },
    { check: '2 a topic', msg: 'A channel message needs a topic.', wrong: { to: 'nowhere', topic: undefined } },
    {
      check: '3 forged',
      msg: 'You cannot send messages as another user: omit the parameter forged.',
      wrong: { forged: 'yes' },
    },
    {
      check: '4 topic characters',
      msg: 'The topic contains a character that is not allowed, at position 2.',
      wrong: { topic: 'a\u0007' },
    },
    { check: '5 body', msg: 'A message needs a text.', wrong: { content: ' \n ' } },
    {
      check: '5 body',
      msg: 'A message must not contain the NUL character.',
      wrong: { content: `\0${tooLargeWhenRendered} @**all**` },
    },
    { check: '6 channel', msg: 'There is no channel named “nowhere”.', wrong: { to: 'nowhere' } },
    { check: '6 who may post', msg: 'You may not send messages to this channel.', wrong: { to: 'closed' } },
    { check: '6 archived', msg: 'You may not send messages to the channel “old”.', wrong: { to: 'old' } },
    { check: '7 topic policy', msg: topicRequiredError, wrong: { topic: ' (no topic)' } },
    {
      check: '8 widget',
      msg: 'Invalid widget_content: it must be JSON.',
      wrong: { widget_content: 'no' },
    },
    {
      check: '9 rendering',
      msg: tooLongError,
      wrong: { content: `${tooLargeWhenRendered} @**all** @**topic** @*board*` },
    },
    {
      check: '10 channel wildcard',
      msg: 'You may not mention everyone in a channel of this size.',
      wrong: { content: '@*board* @**topic** @**all**' },
    },
    {
      check: '10 topic wildcard',
      msg: 'You may not mention everyone in a topic of this size.',
      wrong: { content: '@*board* @**topic**' },
    },
    { check: '10 group', msg: 'You may not mention the group “board”.', wrong: { content: '@*board*' } },
  ]
  const right = { type: 'stream', to: 'design', topic: 'logo', content: 'hello' }
  await expectCheckOrder(checks, right, (asked) => call(ada, 'POST', '/messages', asked))
})

test('The checks of a direct message run in the documented order.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Hidden', 'Gone')
  await using _ = realm
  const [ada, hidden, gone] = people as [Person, Person, Person]
  const [owner, guest] = (await realm.people(
    { full_name: 'Owner', role: Role.owner },
    { full_name: 'Guest', role: Role.guest },
  )) as [Person, Person]
  await createChannel(ada, 'meeting', [ada, owner, guest])
  await createUnmentionableGroup(ada)
  await updateUserRow(realm, gone.user_id, { is_active: false })
  await updateRealmSettings(realm, {
    can_access_all_users_group: SystemGroup.members,
    direct_message_permission_group: SystemGroup.owners,
    direct_message_initiator_group: SystemGroup.owners,
  })
  const to = ({ user_id }: Person) => ({ to: [user_id] })
  const checks: Check[] = [
    { check: '1 parameters', msg: 'read_by_sender must be valid JSON.', wrong: { read_by_sender: 'perhaps' } },
    {
      check: '2 recipients',
      msg: 'Send all recipients as user IDs, or all as email addresses.',
      wrong: { to: [4711, ada.email] },
    },
    { check: '2 unknown', msg: 'There is no user with ID 4711 to send to.', wrong: { to: [4711, gone.user_id] } },
    { check: '2 deactivated', msg: `${gone.email} is deactivated: remove this recipient.`, wrong: to(gone) },
    {
      check: '3 forged',
      msg: 'You cannot send messages as another user: omit the parameter forged.',
      wrong: { forged: 'yes', ...to(hidden) },
    },
    { check: '5 body', msg: 'A message needs a text.', wrong: { content: ' \n ' } },
    {
      check: '5 body',
      msg: 'A message must not contain the NUL character.',
      wrong: { content: `\0${tooLargeWhenRendered} @*board*` },
    },
    { check: '6 hidden', msg: 'You may not send direct messages to some of these recipients.', wrong: to(hidden) },
    {
      check: '6 permission',
      msg: 'Add a user with the permission to authorize direct messages to this conversation.',
      wrong: to(ada),
    },
    {
      check: '6 first message',
      msg: 'You may not begin a direct message conversation: only answer in one.',
      wrong: to(owner),
    },
    {
      check: '8 widget',
      msg: 'Invalid widget_content: it must be JSON.',
      wrong: { widget_content: 'no' },
    },
    { check: '9 rendering', msg: tooLongError, wrong: { content: `${tooLargeWhenRendered} @*board*` } },
    { check: '10 group', msg: 'You may not mention the group “board”.', wrong: { content: '@*board*' } },
  ]
  await expectCheckOrder(checks, { type: 'direct', ...to(guest), content: 'hello' }, (asked) =>
    call(guest, 'POST', '/messages', asked),
  )
})

test('The checks of an edit run in the documented order.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Alan', ...crowd)
  await using _ = realm
  const [ada, alan] = people as [Person, Person]
  const [owner] = (await realm.people({ full_name: 'Owner', role: Role.owner })) as [Person]
  const ids: Record<string, number> = {}
  for (const name of ['design', 'closed', 'old', 'open'])
    ids[name] = await createChannel(owner, name, [owner, ...people])
  await createUnmentionableGroup(owner)
  const archived = await postMessage(alan, 'old', 'logo')
  const [adas, adasOld] = [await postMessage(ada, 'design', 'logo'), await postMessage(ada, 'design', 'logo')]
  const alansOld = await postMessage(alan, 'design', 'logo', '/poll Tea?')
  const [poll, direct] = [
    await postMessage(alan, 'design', 'logo', '/poll Tea?'),
    await sendDirectMessage(alan, [ada], '/poll Tea?'),
  ]
  await realm.sql`
    update messages set timestamp = timestamp - 700000
    where realm_id = ${realm.realm_id} and id = any(${[adasOld, alansOld]}::bigint[])`
  await updateRealmSettings(realm, {
    allow_message_editing: false,
    topics_policy: 'disable_empty_topic',
    can_move_messages_between_topics_group: SystemGroup.nobody,
    can_move_messages_between_channels_group: SystemGroup.nobody,
  })
  const mover = { direct_members: [ada.user_id], direct_subgroups: [] }
  await updateChannelRow(realm, 'design', {
    can_move_messages_within_channel_group: mover,
    can_move_messages_out_of_channel_group: mover,
  })
  await updateChannelRow(realm, 'closed', { can_send_message_group: SystemGroup.nobody })
  await updateChannelRow(realm, 'old', { can_send_message_group: SystemGroup.nobody, is_archived: true })
  const invalid = 'There is no such message, or you may not read it.'
  const unresolvable = 'Only a topic with a name can be resolved.'
  const checks: Check[] = [
    {
      check: 'parameters',
      msg: 'propagate_mode must be one of: change_one, change_later, change_all.',
      wrong: { propagate_mode: 'change_some' },
    },
    { check: '1 message', msg: invalid, wrong: { id: archived, by: ada } },
    { check: '2 editing', msg: 'This organization has turned off editing.', wrong: { by: ada } },
    {
      check: '3 sender',
      msg: 'You may not edit this message.',
      wrong: { by: ada },
      before: () => updateRealmSettings(realm, { allow_message_editing: true }),
    },
    {
      check: '4 age',
      msg: 'This message is too old to be edited.',
      wrong: { id: alansOld, content: 'x', topic: '✔', stream_id: ids.old },
    },
    {
      check: '6 nothing',
      msg: 'Nothing to change',
      wrong: { content: undefined, topic: '  ', stream_id: undefined },
    },
    {
      check: '7 direct, channel',
      msg: 'A direct message cannot move to a channel.',
      wrong: { id: direct, topic: '✔', stream_id: ids.old },
    },
    { check: '7 direct, topic', msg: 'A direct message has no topic.', wrong: { id: direct, topic: '✔' } },
    {
      check: '8 mode',
      msg: 'propagate_mode is for moves only: send it with a new topic or channel.',
      wrong: { topic: undefined, stream_id: undefined },
    },
    { check: '9 topic policy', msg: topicRequiredError, wrong: { topic: ' general chat ' } },
    { check: '9 topic policy', msg: topicRequiredError, wrong: { topic: '(no topic)' } },
    { check: '10 a mark alone', msg: unresolvable, wrong: { topic: '✔ ' } },
    { check: '10 a mark alone', msg: unresolvable, wrong: { topic: '✔ general chat' } },
    {
      check: '11 topic characters',
      msg: 'The topic contains a character that is not allowed, at position 2.',
      wrong: { topic: 'a\u0007' },
    },
    {
      check: '12 text and channel',
      msg: 'Change the text and the channel in two calls.',
      wrong: { content: '@**all**', stream_id: ids.old },
    },
    {
      check: '13 widget',
      msg: 'Polls and to-do lists cannot be edited.',
      wrong: { id: poll, content: '@**all**', stream_id: undefined },
    },
    {
      check: '14 former text',
      msg: 'The message was changed in the meantime: fetch it again before you edit it.',
      wrong: { prev_content_sha256: '0' },
    },
    {
      check: '15 target',
      msg: 'There is no channel with this ID, or you may not see it.',
      wrong: { stream_id: ids.old },
    },
    {
      check: '16 who renames',
      msg: 'You may not edit this message.',
      wrong: { by: alan, id: alansOld, stream_id: ids.closed },
    },
    {
      check: '16 age',
      msg: 'This message is too old to get another topic.',
      wrong: { by: ada, id: adasOld, topic: 'x', stream_id: ids.closed, content: undefined },
    },
    {
      check: '17 wildcard',
      msg: 'You may not mention everyone in a channel of this size.',
      wrong: { topic: 'x', content: '@*board* @**all**' },
    },
    {
      check: '17 group',
      msg: 'You may not mention the group “board”.',
      wrong: { by: ada, id: adas, topic: 'x', stream_id: undefined, content: '@*board*' },
    },
    { check: '18 who moves', msg: 'You may not move this message.', wrong: { by: alan, id: alansOld } },
    { check: '18 age', msg: 'This message is too old to move to another channel.', wrong: { by: ada, id: adasOld } },
    { check: '18 target', msg: 'You may not send messages to this channel.', wrong: { stream_id: ids.closed } },
    {
      check: '19 older ones',
      msg: 'Only 2 of the 4 messages of this topic are new enough for you to move.',
      wrong: { propagate_mode: 'change_all' },
    },
  ]
  const right = { by: ada, id: adas, stream_id: ids.open }
  await expectCheckOrder(checks, right, ({ by, id, ...asked }) => call(by as Person, 'PATCH', `/messages/${id}`, asked))
})
