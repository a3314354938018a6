/**
 * The full organization: a realm with every feature in use, and a sequence of changes that causes every kind of event.
 *
 * Accounts: Owner; Ada and Grace, members; Guest; Leaver, who is deactivated; and the bot of Owner. Channels: `design`
 * (public, all four), `leads` (private, protected history), `secret` (private, Owner only), `web` (web-public), `old`
 * (archived) and `quiet` (only Ada may post). Ada is the account that most tests log in with. Grace has a value in each
 * of the nine profile fields and hides her email address.
 */
import { hashPassword, storePassword } from '../../src/store/users/passwords.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { redPixel, upload } from '../setup/requests/files.js'

export const password = 'correct horse battery staple'

export type Params = Record<string, unknown>
export interface FullOrganization {
  realm: TestRealm
  owner: Person
  ada: Person
  grace: Person
  guest: Person
  channels: Record<'design' | 'leads' | 'secret' | 'web' | 'old' | 'quiet', number>
  fields: Record<string, number>
  emoji: string
  group: number
  bot: number
  gone: number
  folder: number
  poll: number
}

/** Calls of a person that succeed, by method. */
export const callsOf = (person: Person) => ({
  post: <P extends string>(path: P, params: Params = {}) => ok(person, 'POST', path, params),
  patch: <P extends string>(path: P, params: Params = {}) => ok(person, 'PATCH', path, params),
  remove: <P extends string>(path: P, params: Params = {}) => ok(person, 'DELETE', path, params),
  get: <P extends string>(path: P, params: Params = {}) => ok(person, 'GET', path, params),
})

/** The parameters of a message to a topic. */
export const inTopic = (to: string | number, topic: string, content: string): Params => ({
  type: 'channel',
  to: String(to),
  topic,
  content,
})
/** The parameters of a direct message. */
export const toPeople = (people: Person[], content: string): Params => ({
  type: 'direct',
  to: people.map(({ user_id }) => user_id),
  content,
})

/** Creates the organization, and uses its features. */
export const newFullOrganization = async (): Promise<FullOrganization> => {
  const realm = await newRealm()
  const [owner, ada, grace, guest, leaver] = (await realm.people(
    { full_name: 'Owner', role: 100 },
    { full_name: 'Ada', timezone: 'Europe/London' },
    { full_name: 'Grace', settings: { email_address_visibility: 4 } },
    { full_name: 'Guest', role: 600 },
    { full_name: 'Leaver' },
  )) as [Person, Person, Person, Person, Person]
  await storePassword(realm.sql, realm.realm_id, ada.user_id, await hashPassword(password))
  const boss = callsOf(owner)
  await boss.patch('/realm', { enable_spectator_access: true })
  const channel = async (name: string, people: Person[], more: Params = {}) => {
    const principals = people.map(({ user_id }) => user_id)
    const subscriptions = [{ name, description: `About **${name}**` }]
    await boss.post('/users/me/subscriptions', { subscriptions, principals, ...more })
    return (await boss.get('/get_stream_id', { stream: name })).stream_id
  }
  const direct_members = [ada.user_id]
  const channels = {
    design: await channel('design', [owner, ada, grace, guest], { history_public_to_subscribers: true }),
    leads: await channel('leads', [owner, ada], { invite_only: true, history_public_to_subscribers: false }),
    secret: await channel('secret', [owner], { invite_only: true }),
    web: await channel('web', [owner, ada], { is_web_public: true }),
    old: await channel('old', [owner, ada]),
    quiet: await channel('quiet', [owner, ada], {
      can_send_message_group: { direct_members, direct_subgroups: [] },
      message_retention_days: 30,
      topics_policy: 'disable_empty_topic',
    }),
  }
  const fields: Record<string, number> = {}
  const field = async (name: string, field_type: number, more: Params = {}) => {
    const given = { name, hint: `Your ${name}`, field_type, ...more }
    fields[name] = (await boss.post('/realm/profile_fields', given)).id
  }
  await field('Phone', 1, { display_in_profile_summary: true })
  await field('About', 2)
  const choices = { red: { text: 'Red', order: '1' }, blue: { text: 'Blue', order: '2' } }
  await field('Colour', 3, { field_data: choices })
  await field('Birthday', 4)
  await field('Page', 5)
  await field('Mentor', 6)
  await field('GitHub', 7, { field_data: { subtype: 'github' } })
  const elsewhere = { subtype: 'custom', url_pattern: 'https://example.com/%(username)s' }
  await field('Elsewhere', 7, { field_data: elsewhere })
  await field('Pronouns', 8)
  const data = (name: string, value: unknown) => ({ id: fields[name], value })
  const values = [
    ...[data('Phone', '123'), data('About', 'I **am** Grace'), data('Colour', 'blue'), data('Birthday', '1906-12-09')],
    ...[data('Page', 'https://example.com'), data('Mentor', [owner.user_id]), data('GitHub', 'grace')],
    ...[data('Elsewhere', 'grace'), data('Pronouns', 'she/her')],
  ]
  await callsOf(grace).patch('/users/me/profile_data', { data: values })

  await upload(owner, '/realm/emoji/parley', { filename: 'parley.png', type: 'image/png', data: redPixel })
  const { emoji } = await boss.get('/realm/emoji')
  const group = { name: 'makers', description: 'Who make', members: [ada.user_id, grace.user_id] }
  const { group_id } = await boss.post('/user_groups/create', group)
  const unused = { name: 'unused', description: '', members: [] }
  const { group_id: unusedId } = await boss.post('/user_groups/create', unused)
  await boss.post(`/user_groups/${unusedId}/deactivate`)
  const { user_id: bot } = await boss.post('/bots', { full_name: 'Robot', short_name: 'robot' })
  const { channel_folder_id: folder } = await boss.post('/channel_folders/create', {
    name: 'Work',
    description: 'What *we* do',
  })
  await boss.patch(`/streams/${channels.design}`, { folder_id: folder })

  const say = async (person: Person, given: Params) => (await callsOf(person).post('/messages', given)).id
  const first = await say(grace, inTopic(channels.design, 'logo', 'The **first** draft for @**Ada**'))
  await say(leaver, toPeople([ada], 'Goodbye'))
  await say(grace, inTopic(channels.design, '', 'No topic at all, @**all**'))
  await say(owner, inTopic(channels.leads, 'plans', '/me plans'))
  await say(owner, inTopic(channels.web, 'news', 'For everybody'))
  await say(grace, toPeople([ada], 'Just you'))
  await say(grace, toPeople([ada, owner], 'The three of us'))
  await say(ada, toPeople([ada], 'A note to myself'))
  const poll = await say(grace, inTopic(channels.design, 'lunch', '/poll Where?\nHere\nThere'))
  const vote = { message_id: poll, msg_type: 'widget', content: { type: 'vote', key: 'canned,0', vote: 1 } }
  await callsOf(owner).post('/submessage', vote)
  const todo = await say(grace, inTopic(channels.design, 'lunch', '/todo Buy\nBread: fresh'))
  await callsOf(owner).post('/submessage', {
    message_id: todo,
    msg_type: 'widget',
    content: { type: 'strike', key: '0,canned' },
  })
  await callsOf(ada).post(`/messages/${first}/reactions`, { emoji_name: 'tada' })
  await callsOf(owner).post(`/messages/${first}/reactions`, { emoji_name: 'parley' })
  const extra = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' }
  await callsOf(grace).post(`/messages/${first}/reactions`, extra)
  await callsOf(grace).patch(`/messages/${first}`, { content: 'The **first** draft for @**Ada**, again' })
  await callsOf(grace).patch(`/messages/${first}`, { topic: 'logos', propagate_mode: 'change_all' })
  await callsOf(ada).post('/messages/flags', { messages: [first], op: 'add', flag: 'starred' })
  const { text } = await upload(ada, '/user_uploads', { filename: 'a b.txt', type: 'text/plain', data: 'hello' })
  await say(ada, inTopic(channels.design, 'files', `[a file](${(JSON.parse(text) as { uri: string }).uri})`))

  const me = callsOf(ada)
  await me.post('/users/me/alert_words', { alert_words: ['parley'] })
  await me.post(`/users/me/muted_users/${guest.user_id}`)
  await me.post('/saved_snippets', { title: 'Hello', content: 'Hello, *all*' })
  const in_an_hour = Math.floor(Date.now() / 1000) + 3600
  await me.post('/scheduled_messages', {
    ...inTopic(channels.design, 'later', 'DatabaseField'),
    scheduled_delivery_timestamp: in_an_hour,
  })
  const drafted = { type: 'stream', to: [channels.design], topic: 'x', content: 'y', timestamp: in_an_hour }
  await me.post('/drafts', { drafts: [drafted] })
  for (const [topic, visibility_policy] of [
    ['muted', 1],
    ['unmuted', 2],
    ['followed', 3],
  ] as const) {
    await me.post('/user_topics', { stream_id: channels.design, topic, visibility_policy })
  }
  await callsOf(grace).post('/users/me/status', { status_text: 'Away', emoji_name: 'car' })
  await callsOf(owner).post('/users/me/status', { emoji_name: 'parley' })
  await callsOf(guest).post('/users/me/status', { status_text: 'Text alone' })
  await callsOf(grace).post('/users/me/presence', { status: 'active', new_user_input: true })
  await me.post('/users/me/subscriptions/properties', {
    subscription_data: [
      { stream_id: channels.quiet, property: 'is_muted', value: true },
      { stream_id: channels.web, property: 'color', value: '#AABBCC' },
      { stream_id: channels.web, property: 'push_notifications', value: true },
    ],
  })
  await boss.remove(`/users/${leaver.user_id}`)
  await boss.remove(`/streams/${channels.old}`)
  return {
    ...{ realm, owner, ada, grace, guest, channels, fields, group: group_id, bot, folder, poll },
    emoji: Object.keys(emoji)[0] as string,
    gone: leaver.user_id,
  }
}

/**
 * Causes every kind of event. Ada receives most of them, and the guest receives the others.
 * @param look called after each group of changes
 */
export const causeEveryEvent = async (world: FullOrganization, look: () => Promise<void>): Promise<void> => {
  const { owner, ada, grace, guest, channels, fields, bot, folder, group } = world
  const boss = callsOf(owner)
  const me = callsOf(ada)

  // organization
  await upload(owner, '/realm/emoji/another', { filename: 'another.png', type: 'image/png', data: redPixel })
  await boss.remove('/realm/emoji/another')
  await boss.patch('/realm', { name: 'Renamed', topics_policy: 'disable_empty_topic' })
  await boss.patch('/realm', { topics_policy: 'allow_empty_topic' })
  await boss.patch(`/realm/profile_fields/${fields.Phone}`, { name: 'Telephone' })
  const elsewhere = { name: 'Elsewhere', description: 'Not *here*' }
  const made2 = await boss.post('/channel_folders/create', elsewhere)
  await boss.patch(`/channel_folders/${made2.channel_folder_id}`, { name: 'Nowhere', description: '**None**' })
  await boss.patch(`/channel_folders/${made2.channel_folder_id}`, { is_archived: true })
  await look()

  // users and bots
  const account = { email: 'new@example.com', full_name: 'Newcomer', password }
  const { user_id: newcomer } = await boss.post('/users', account)
  await boss.patch(`/users/${newcomer}`, { full_name: 'Old hand', role: 300 })
  await boss.patch(`/users/${newcomer}`, { role: 600 })
  await boss.patch(`/bots/${bot}`, { full_name: 'Machine', bot_owner_id: ada.user_id })
  await boss.patch(`/bots/${bot}`, { bot_owner_id: owner.user_id })
  await callsOf(grace).patch('/settings', { full_name: 'Grace Hopper', timezone: 'Asia/Tokyo' })
  await callsOf(grace).patch('/settings', { email_address_visibility: 1 })
  await callsOf(grace).patch('/settings', { email_address_visibility: 4 })
  await upload(grace, '/users/me/avatar', { filename: 'me.png', type: 'image/png', data: redPixel })
  await callsOf(grace).remove('/users/me/avatar')
  const about = { id: fields.About, value: 'I am **still** Grace' }
  const mentor = { id: fields.Mentor, value: [ada.user_id] }
  await callsOf(grace).patch('/users/me/profile_data', { data: [about, mentor] })
  await callsOf(grace).remove('/users/me/profile_data', { data: [fields.About, fields.Mentor] })
  await boss.remove(`/users/${newcomer}`)
  await boss.post(`/users/${newcomer}/reactivate`)
  for (const text of [
    { status_text: 'Here' },
    { emoji_name: 'car' },
    { emoji_name: 'parley' },
    { status_text: '', emoji_name: '' },
  ]) {
    await callsOf(grace).post('/users/me/status', text)
  }
  await callsOf(guest).post('/users/me/presence', { status: 'active', new_user_input: true })
  await look()

  // groups
  await boss.patch(`/user_groups/${group}`, { name: 'doers', description: 'Who do' })
  await boss.post(`/user_groups/${group}/members`, { add: [owner.user_id] })
  await boss.post(`/user_groups/${group}/members`, { delete: [grace.user_id] })
  const more = { name: 'more', description: '', members: [grace.user_id] }
  const { group_id } = await boss.post('/user_groups/create', more)
  await boss.post(`/user_groups/${group}/subgroups`, { add: [group_id] })
  await boss.post(`/user_groups/${group}/subgroups`, { delete: [group_id] })
  await boss.post(`/user_groups/${group_id}/deactivate`)
  await boss.patch(`/user_groups/${group_id}`, { deactivated: false })
  await look()

  // channels
  const fresh = [{ name: 'fresh', description: 'So *fresh*' }]
  await boss.post('/users/me/subscriptions', { subscriptions: fresh, principals: [owner.user_id, ada.user_id] })
  const { stream_id } = await boss.get('/get_stream_id', { stream: 'fresh' })
  const path = `/streams/${stream_id}`
  const direct_members = [ada.user_id, owner.user_id]
  for (const change of [
    { new_name: 'fresher' },
    { description: 'Still **fresh**' },
    { is_private: true, history_public_to_subscribers: true },
    { is_private: false },
    { message_retention_days: 7 },
    { message_retention_days: 'realm_default' },
    { topics_policy: 'allow_empty_topic' },
    { folder_id: folder },
    { folder_id: null },
    { can_send_message_group: { new: { direct_members, direct_subgroups: [] } } },
    { can_add_subscribers_group: { new: group } },
    { can_subscribe_group: { new: group } },
    { can_administer_channel_group: { new: group } },
  ] as Params[]) {
    await boss.patch(path, change)
  }
  await callsOf(grace).post('/users/me/subscriptions', { subscriptions: [{ name: 'fresher' }] })
  await callsOf(grace).remove('/users/me/subscriptions', { subscriptions: ['fresher'] })
  for (const [property, value] of [
    ['color', '#00FF7f'],
    ['is_muted', true],
    ['pin_to_top', true],
    ['desktop_notifications', true],
    ['audible_notifications', false],
    ['push_notifications', true],
    ['email_notifications', true],
    ['wildcard_mentions_notify', false],
  ] as const) {
    const subscription_data = [{ stream_id, property, value }]
    await me.post('/users/me/subscriptions/properties', { subscription_data })
  }
  await me.remove('/users/me/subscriptions', { subscriptions: ['fresher'] })
  await me.post('/users/me/subscriptions', { subscriptions: [{ name: 'fresher' }] })
  await boss.remove('/users/me/subscriptions', { subscriptions: ['leads'], principals: [ada.user_id] })
  await boss.post('/users/me/subscriptions', { subscriptions: [{ name: 'leads' }], principals: [ada.user_id] })
  await boss.remove(path)
  await boss.patch(path, { is_archived: false })
  await look()

  // messages
  const say = async (person: Person, given: Params) => (await callsOf(person).post('/messages', given)).id
  const first = await say(grace, inTopic(channels.design, 'events', 'parley for @**Ada** and @*doers*, @**all**'))
  const second = await say(grace, inTopic(channels.design, 'events', '@**topic** again'))
  await say(grace, inTopic(channels.design, '', 'Nothing'))
  const alone = await say(grace, toPeople([ada], '/me waves'))
  const third = await say(grace, toPeople([ada, owner], 'All of us'))
  await say(ada, toPeople([ada], 'Myself'))
  const fourth = await say(grace, inTopic(channels.design, 'events', '/poll\nA\nB'))
  const act = (content: object) =>
    callsOf(owner).post('/submessage', { message_id: fourth, msg_type: 'widget', content })
  await act({ type: 'new_option', idx: 1, option: 'C' })
  await act({ type: 'vote', key: `${owner.user_id},1`, vote: 1 })
  await act({ type: 'vote', key: 'canned,0', vote: -1 })
  await callsOf(grace).post('/submessage', {
    message_id: fourth,
    msg_type: 'widget',
    content: { type: 'question', question: 'Which?' },
  })
  await callsOf(grace).patch(`/messages/${first}`, { content: 'Never @**mind**' })
  await callsOf(grace).patch(`/messages/${first}`, { content: 'Both', topic: 'both', propagate_mode: 'change_one' })
  await boss.patch(`/messages/${second}`, { topic: '✔ events', propagate_mode: 'change_all' })
  await boss.patch(`/messages/${second}`, { stream_id: channels.web, propagate_mode: 'change_all' })
  await boss.patch(`/messages/${second}`, {
    stream_id: channels.secret,
    topic: 'hidden',
    propagate_mode: 'change_one',
  })
  await callsOf(grace).patch(`/messages/${alone}`, { content: 'No more' })
  for (const [emoji_name, reaction_type] of [
    ['tada', 'unicode_emoji'],
    ['parley', 'realm_emoji'],
    ['zulip', 'zulip_extra_emoji'],
  ] as const) {
    await callsOf(grace).post(`/messages/${third}/reactions`, { emoji_name })
    await callsOf(grace).remove(`/messages/${third}/reactions`, { emoji_name, reaction_type })
  }
  const unreadAgain = [first, alone, third]
  for (const [op, flag] of [
    ['add', 'read'],
    ['remove', 'read'],
    ['add', 'starred'],
    ['remove', 'starred'],
    ['add', 'collapsed'],
  ] as const) {
    await me.post('/messages/flags', { messages: unreadAgain, op, flag })
  }
  await me.post('/mark_all_as_read')
  await callsOf(grace).remove(`/messages/${alone}`)
  await callsOf(grace).remove(`/messages/${first}`)
  await boss.post(`/streams/${channels.web}/delete_topic`, { topic_name: '✔ events' })
  for (const op of ['start', 'stop']) {
    await callsOf(grace).post('/typing', { op, type: 'channel', stream_id: channels.design, topic: 'events' })
    await callsOf(grace).post('/typing', { op, type: 'direct', to: [ada.user_id, owner.user_id] })
  }
  await look()

  // Ada's own settings and data
  await me.post('/users/me/alert_words', { alert_words: ['again'] })
  await me.remove(`/users/me/muted_users/${guest.user_id}`)
  await me.patch('/settings', {
    twenty_four_hour_time: false,
    starred_message_counts: false,
    display_emoji_reaction_users: false,
    emojiset: 'text',
    presence_enabled: false,
    web_home_view: 'inbox',
    color_scheme: 2,
  })
  for (const visibility_policy of [3, 2, 1, 0]) {
    await me.post('/user_topics', { stream_id: channels.design, topic: 'mine', visibility_policy })
  }
  const { saved_snippets } = await me.get('/saved_snippets')
  const snippet = saved_snippets[0]?.id
  await me.post('/saved_snippets', { title: 'One', content: 'more' })
  await me.patch(`/saved_snippets/${snippet}`, { title: 'Changed' })
  await me.remove(`/saved_snippets/${snippet}`)
  await look()

  // users that a guest can access
  const { user_groups } = await boss.get('/user_groups')
  const members = user_groups.find(({ name }) => name === 'role:members')?.id
  await boss.patch('/realm', { can_access_all_users_group: { new: members } })
  const subscriptions = ['design']
  await boss.remove('/users/me/subscriptions', { subscriptions, principals: [grace.user_id] })
  const back = [{ name: 'design' }]
  await boss.post('/users/me/subscriptions', { subscriptions: back, principals: [grace.user_id] })
  await look()
}
