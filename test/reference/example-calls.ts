/**
 * The calls that the API reference shows: one organization in which every endpoint is called, in an order in which each
 * call succeeds. Mira owns the organization; Sam and Lena are members.
 */

import type { Person } from '../setup/realm/realm.js'
import { redPixel } from '../setup/requests/files.js'
import type { Recorder } from './example-recorder.js'

export interface Cast {
  mira: Person
  sam: Person
  lena: Person
}

/** Endpoints without an example, each with the reason. */
export const unshownCalls: Readonly<Record<string, string>> = {
  jwtFetchApiKey: 'It needs a site that signs tokens, which the operator configures.',
  devFetchApiKey: 'It works on development servers only, which the page of the reference uses itself.',
  devListUsers: 'It works on development servers only, which the page of the reference uses itself.',
  getDemoAccounts: 'It works on development servers only.',
  createDemoSession: 'It works on development servers only.',
  getCurrentSession: 'It needs the cookie of a browser.',
  getSessionState: 'It tells of the cookie of a browser.',
  endCurrentSession: 'It needs the cookie of a browser.',
  createResumable: 'Its requests and answers are headers of the protocol tus.',
  getResumable: 'Its requests and answers are headers of the protocol tus.',
  addToResumable: 'Its requests and answers are headers of the protocol tus.',
  deleteResumable: 'Its requests and answers are headers of the protocol tus.',
  getSearchCorrections: 'Its answer depends on when a worker learns the words of a message.',
  getRealmIcon: 'It redirects to a picture.',
  getRealmLogo: 'It redirects to a picture.',
  registerPushDevice: 'This server has no push service.',
  testPushNotification: 'This server has no push service.',
  createBigBlueButtonCall: 'It needs a server for video calls.',
  createZoomCall: 'It needs an account of another service.',
  removeExport: 'A worker has to write the archive first.',
}

/** Events without an example, each with the reason. */
export const unshownEvents: Readonly<Record<string, string>> = {
  'realm/deactivated': 'The queue of the examples ends with the organization.',
  'realm_user/remove': 'Only restricted guests receive it.',
  restart: 'Clients receive it after a new release.',
  'stream/archive': 'Clients receive it as `stream/update` or `stream/delete`.',
  'stream/unarchive': 'Clients receive it as `stream/create` or `stream/update`.',
  'user_group/deactivate': 'Clients receive it as `user_group/update`.',
  'user_group/reactivate': 'Clients receive it as `user_group/update`.',
  'subscription/return': 'It is an older form, for clients that do not keep archived channels.',
  'subscription/peer_return': 'It is an older form, for clients that do not keep archived channels.',
  update_display_settings: 'It is an older form, for clients without `user_settings_object`.',
  update_global_notifications: 'It is an older form, for clients without `user_settings_object`.',
}

const file = { filename: 'logo.png', type: 'image/png', data: redPixel }
const inADay = () => Math.floor(Date.now() / 1000) + 86_400

const capabilities = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_settings_object: true,
  linkifier_url_template: true,
}

/** Makes all calls. */
export const runExampleCalls = async ({ show, readEvents }: Recorder, { mira, sam, lena }: Cast): Promise<void> => {
  const queue = await show(mira, 'POST /register', {
    event_types: ['message', 'reaction'],
    fetch_event_types: ['message'],
  })
  await show(mira, 'DELETE /events', { queue_id: queue.queue_id })
  const queues = await Promise.all(
    [mira, sam].map(async (by) => ({
      by,
      queue: await show(by, 'POST /register', {
        fetch_event_types: [],
        client_capabilities: capabilities,
      }),
    })),
  )
  await show(mira, 'POST /events/ticket', { queue_id: queues[0]?.queue.queue_id })
  const look = async () => {
    for (const { by, queue } of queues) await readEvents(by, queue)
  }
  const parts = [
    showServer,
    showChannels,
    showMessages,
    showOwnData,
    showUsers,
    showGroups,
    showOrganization,
    showFiles,
    showEnd,
  ]
  for (const part of parts) {
    await part(show, { mira, sam, lena }, look)
    if (part !== showEnd) await look()
  }
}

type Part = (show: Recorder['show'], cast: Cast, look: () => Promise<void>) => Promise<void>

const showServer: Part = async (show, { mira, sam }) => {
  await show(undefined, 'GET /server_settings')
  await show(mira, 'GET /users')
  await show(mira, 'GET /users/me')
  await show(mira, 'GET /users/{user_id}', { user_id: sam.user_id })
  await show(mira, 'GET /users/{email}', { email: sam.email })
}

const showChannels: Part = async (show, { mira, sam, lena }) => {
  const subscriptions = [{ name: 'design', description: 'How the product looks' }]
  const principals = [mira, sam, lena].map(({ user_id }) => user_id)
  await show(mira, 'POST /users/me/subscriptions', { subscriptions, principals })
  const { stream_id } = await show(mira, 'GET /get_stream_id', { stream: 'design' })
  await show(mira, 'POST /channels/create', {
    name: 'support',
    description: 'Questions of customers',
    subscribers: principals,
  })
  await show(mira, 'GET /streams')
  await show(mira, 'GET /streams/{stream_id}', { stream_id })
  await show(mira, 'GET /streams/{stream_id}/members', { stream_id })
  await show(mira, 'GET /streams/{stream_id}/email_address', { stream_id })
  await show(mira, 'PATCH /streams/{stream_id}', { stream_id, description: 'How the product looks and feels' })
  await show(sam, 'GET /users/me/subscriptions')
  await show(sam, 'GET /users/{user_id}/subscriptions/{stream_id}', { user_id: lena.user_id, stream_id })
  await show(sam, 'GET /users/{user_id}/channels', { user_id: lena.user_id })
  await show(sam, 'PATCH /users/me/subscriptions/{stream_id}', { stream_id, property: 'color', value: '#aa00ff' })
  const subscription_data = [{ stream_id, property: 'pin_to_top', value: true }]
  await show(sam, 'POST /users/me/subscriptions/properties', { subscription_data })
  await show(sam, 'DELETE /users/me/subscriptions', { subscriptions: ['support'] })
  await show(sam, 'PATCH /users/me/subscriptions', { add: [{ name: 'support' }] })
  await show(mira, 'POST /default_streams', { stream_id })
  await show(mira, 'DELETE /default_streams', { stream_id })
  const group = { group_name: 'Makers', description: 'For those who build', stream_names: ['support'] }
  await show(mira, 'POST /default_stream_groups/create', group)
  const { realm_default_stream_groups } = await show(mira, 'POST /register', {
    event_types: [],
    fetch_event_types: ['default_stream_groups'],
  })
  const group_id = realm_default_stream_groups[0].id
  await show(mira, 'PATCH /default_stream_groups/{group_id}', { group_id, new_group_name: 'Builders' })
  await show(mira, 'PATCH /default_stream_groups/{group_id}/streams', { group_id, op: 'add', stream_names: ['design'] })
  await show(mira, 'DELETE /default_stream_groups/{group_id}', { group_id })
  const { channel_folder_id } = await show(mira, 'POST /channel_folders/create', {
    name: 'Product',
    description: 'What we build',
  })
  await show(mira, 'GET /channel_folders')
  await show(mira, 'PATCH /channel_folders/{channel_folder_id}', { channel_folder_id, name: 'Our product' })
  const other = await show(mira, 'POST /channel_folders/create', { name: 'Customers' })
  await show(mira, 'PATCH /channel_folders', { order: [other.channel_folder_id, channel_folder_id] })
}

const showMessages: Part = async (show, { mira, sam, lena }, look) => {
  const { stream_id } = await show(mira, 'GET /get_stream_id', { stream: 'design' })
  const message = { type: 'channel', to: 'design', topic: 'logo', content: 'The **first** draft for @**Mira** :tada:' }
  const { id: message_id } = await show(sam, 'POST /messages', message)
  const narrow = [
    { operator: 'channel', operand: 'design' },
    { operator: 'topic', operand: 'logo' },
  ]
  await show(mira, 'GET /messages', { anchor: 'newest', num_before: 20, num_after: 0, narrow })
  await show(mira, 'GET /messages/{message_id}', { message_id })
  await show(mira, 'GET /messages/matches_narrow', { msg_ids: [message_id], narrow })
  await show(mira, 'GET /messages/matching_topics', { begin: 'lo' })
  await show(mira, 'POST /messages/render', { content: 'Hello **world**' })
  await show(mira, 'POST /messages/{message_id}/reactions', { message_id, emoji_name: 'octopus' })
  await show(mira, 'DELETE /messages/{message_id}/reactions', { message_id, emoji_name: 'octopus' })
  await show(sam, 'PATCH /messages/{message_id}', {
    message_id,
    content: 'The **second** draft',
    topic: 'new logo',
    propagate_mode: 'change_all',
  })
  await show(mira, 'GET /messages/{message_id}/history', { message_id })
  await show(mira, 'POST /messages/flags', { messages: [message_id], op: 'add', flag: 'read' })
  await show(mira, 'GET /messages/{message_id}/read_receipts', { message_id })
  const page = { anchor: 'oldest', num_before: 0, num_after: 100, narrow }
  await show(mira, 'POST /messages/flags/narrow', { ...page, op: 'add', flag: 'starred' })
  await show(mira, 'POST /mark_topic_as_read', { stream_id, topic_name: 'new logo' })
  await show(mira, 'POST /mark_stream_as_read', { stream_id })
  await show(mira, 'POST /mark_all_as_read')
  await show(mira, 'GET /users/me/{stream_id}/topics', { stream_id })
  await show(mira, 'POST /user_topics', { stream_id, topic: 'new logo', visibility_policy: 3 })
  await show(mira, 'PATCH /users/me/subscriptions/muted_topics', { stream_id, topic: 'old logo', op: 'add' })
  await show(sam, 'POST /typing', { op: 'start', type: 'channel', stream_id, topic: 'new logo' })
  await show(sam, 'POST /typing', { op: 'start', type: 'direct', to: [mira.user_id] })
  await show(sam, 'POST /message_edit_typing', { message_id, op: 'start' })
  await show(sam, 'POST /messages/{message_id}/typing', { message_id, op: 'stop' })
  const { id: poll } = await show(sam, 'POST /messages', {
    type: 'channel',
    to: 'design',
    topic: 'lunch',
    content: '/poll Where?\nHere\nThere',
  })
  await show(mira, 'POST /submessage', {
    message_id: poll,
    msg_type: 'widget',
    content: { type: 'vote', key: 'canned,0', vote: 1 },
  })
  await look()
  const moderation = [{ name: 'moderation', description: 'Reports of messages' }]
  await show(mira, 'POST /users/me/subscriptions', { subscriptions: moderation, invite_only: true })
  const reports = await show(mira, 'GET /get_stream_id', { stream: 'moderation' })
  await show(mira, 'PATCH /realm', { moderation_request_channel_id: reports.stream_id })
  await show(lena, 'POST /messages/{message_id}/report', {
    message_id,
    report_type: 'spam',
    description: 'An advertisement',
  })
  await show(mira, 'DELETE /messages/{message_id}', { message_id: poll })
  await show(mira, 'POST /streams/{stream_id}/delete_topic', { stream_id, topic_name: 'lunch' })
  await show(mira, 'POST /reminders', { message_id, scheduled_delivery_timestamp: inADay() })
  const { reminders } = await show(mira, 'GET /reminders')
  await show(mira, 'DELETE /reminders/{reminder_id}', { reminder_id: reminders[0].reminder_id })
  const later = {
    type: 'channel',
    to: stream_id,
    topic: 'news',
    content: 'Good morning',
    scheduled_delivery_timestamp: inADay(),
  }
  const { scheduled_message_id } = await show(mira, 'POST /scheduled_messages', later)
  await show(mira, 'GET /scheduled_messages')
  await show(mira, 'PATCH /scheduled_messages/{scheduled_message_id}', {
    scheduled_message_id,
    content: 'Good evening',
  })
  await show(mira, 'DELETE /scheduled_messages/{scheduled_message_id}', { scheduled_message_id })
  const draft = { type: 'stream', to: [stream_id], topic: 'ideas', content: 'What if', timestamp: inADay() - 86_400 }
  const { ids } = await show(mira, 'POST /drafts', { drafts: [draft] })
  await show(mira, 'GET /drafts')
  await show(mira, 'PATCH /drafts/{draft_id}', { draft_id: ids[0], draft: { ...draft, content: 'What if we' } })
  await show(mira, 'DELETE /drafts/{draft_id}', { draft_id: ids[0] })
  const { saved_snippet_id } = await show(mira, 'POST /saved_snippets', {
    title: 'Welcome',
    content: 'Welcome to **design**!',
  })
  await show(mira, 'GET /saved_snippets')
  await show(mira, 'PATCH /saved_snippets/{saved_snippet_id}', { saved_snippet_id, title: 'Greeting' })
  await show(mira, 'DELETE /saved_snippets/{saved_snippet_id}', { saved_snippet_id })
  await show(mira, 'POST /zcommand', { command: '/ping' })
}

const showOwnData: Part = async (show, { mira, sam, lena }, look) => {
  await show(mira, 'PATCH /settings', { twenty_four_hour_time: true, color_scheme: 2 })
  await show(mira, 'POST /users/me/alert_words', { alert_words: ['logo'] })
  await show(mira, 'GET /users/me/alert_words')
  await show(mira, 'DELETE /users/me/alert_words', { alert_words: ['logo'] })
  await show(mira, 'POST /users/me/muted_users/{muted_user_id}', { muted_user_id: lena.user_id })
  await show(mira, 'DELETE /users/me/muted_users/{muted_user_id}', { muted_user_id: lena.user_id })
  await show(sam, 'POST /users/me/presence', { status: 'active', new_user_input: true })
  await look()
  await show(mira, 'GET /realm/presence')
  await show(mira, 'GET /users/{user_id_or_email}/presence', { user_id_or_email: sam.user_id })
  await show(sam, 'POST /users/me/status', { status_text: 'At lunch', emoji_name: 'car' })
  await show(mira, 'GET /users/{user_id}/status', { user_id: sam.user_id })
  await show(mira, 'POST /users/{user_id}/status', { user_id: lena.user_id, status_text: 'On holiday' })
  await show(mira, 'POST /navigation_views', {
    fragment: 'narrow/topic/lunch',
    is_pinned: true,
    name: 'Lunch',
  })
  await show(mira, 'GET /navigation_views')
  await show(mira, 'PATCH /navigation_views/{fragment}', { fragment: 'narrow%2Ftopic%2Flunch', is_pinned: false })
  await show(mira, 'DELETE /navigation_views/{fragment}', { fragment: 'narrow%2Ftopic%2Flunch' })
  await show(mira, 'POST /users/me/onboarding_steps', { onboarding_step: 'intro_inbox_view_modal' })
  await show(mira, 'PUT /bot_storage', { storage: { cursor: '42' } })
  await show(mira, 'GET /bot_storage')
  await show(mira, 'DELETE /bot_storage', { keys: ['cursor'] })
  await show(mira, 'POST /users/me/apns_device_token', { token: 'c0ffee', appid: 'org.zulip.Zulip' })
  await show(mira, 'DELETE /users/me/apns_device_token', { token: 'c0ffee' })
  await show(mira, 'POST /users/me/android_gcm_reg_id', { token: 'cafe' })
  await show(mira, 'DELETE /users/me/android_gcm_reg_id', { token: 'cafe' })
}

const showUsers: Part = async (show, { mira, sam }) => {
  const password = 'correct horse battery staple'
  const newcomer = { email: 'ines@example.com', full_name: 'Ines', password }
  const { user_id } = await show(mira, 'POST /users', newcomer)
  const { api_key } = await show(undefined, 'POST /fetch_api_key', { username: newcomer.email, password })
  const ines = { ...mira, email: newcomer.email, api_key }
  await show(undefined, 'POST /sessions', { username: newcomer.email, password })
  const { sessions } = await show(ines, 'GET /sessions')
  await show(ines, 'DELETE /sessions/{session_id}', { session_id: sessions[0].id })
  await show(mira, 'PATCH /users/{user_id}', { user_id, full_name: 'Ines Duarte', role: 300 })
  await show(mira, 'PATCH /users/{email}', { email: newcomer.email, full_name: 'Ines D.' })
  await show(mira, 'DELETE /users/{user_id}', { user_id })
  await show(mira, 'POST /users/{user_id}/reactivate', { user_id })
  const { user_id: bot_id } = await show(mira, 'POST /bots', {
    full_name: 'Build bot',
    short_name: 'build',
    bot_type: 1,
  })
  await show(mira, 'GET /bots')
  await show(mira, 'PATCH /bots/{bot_id}', { bot_id, full_name: 'Release bot' })
  await show(mira, 'POST /bots/{bot_id}/api_key/regenerate', { bot_id })
  await show(mira, 'GET /bots/{bot_id}/api_key', { bot_id })
  const lent = await show(sam, 'POST /bots', { full_name: 'Test bot', short_name: 'test' })
  await show(mira, 'PATCH /bots/{bot_id}', { bot_id: lent.user_id, bot_owner_id: mira.user_id })
  await show(mira, 'DELETE /bots/{bot_id}', { bot_id })
  await show(mira, 'POST /invites', { invitee_emails: 'omar@example.com', stream_ids: [], invite_as: 400 })
  await show(mira, 'POST /invites/multiuse', { stream_ids: [] })
  const { invites } = await show(mira, 'GET /invites')
  const idOf = (is_multiuse: boolean) =>
    invites.find((invite: { is_multiuse: boolean }) => invite.is_multiuse === is_multiuse).id
  await show(mira, 'POST /invites/{invite_id}/resend', { invite_id: idOf(false) })
  await show(mira, 'DELETE /invites/{invite_id}', { invite_id: idOf(false) })
  await show(mira, 'DELETE /invites/multiuse/{invite_id}', { invite_id: idOf(true) })
}

const showGroups: Part = async (show, { mira, sam, lena }) => {
  const makers = { name: 'makers', description: 'Everyone who builds', members: [mira.user_id, sam.user_id] }
  const { group_id: user_group_id } = await show(mira, 'POST /user_groups/create', makers)
  const { group_id: other } = await show(mira, 'POST /user_groups/create', { ...makers, name: 'testers' })
  await show(mira, 'GET /user_groups')
  await show(mira, 'PATCH /user_groups/{user_group_id}', { user_group_id, description: 'Designers and engineers' })
  await show(mira, 'POST /user_groups/{user_group_id}/members', {
    user_group_id,
    add: [lena.user_id],
    delete: [sam.user_id],
  })
  await show(mira, 'GET /user_groups/{user_group_id}/members', { user_group_id })
  await show(mira, 'GET /user_groups/{user_group_id}/members/{user_id}', { user_group_id, user_id: lena.user_id })
  await show(mira, 'POST /user_groups/{user_group_id}/subgroups', { user_group_id, add: [other] })
  await show(mira, 'GET /user_groups/{user_group_id}/subgroups', { user_group_id })
  await show(mira, 'POST /user_groups/{user_group_id}/subgroups', { user_group_id, delete: [other] })
  await show(mira, 'POST /user_groups/{user_group_id}/deactivate', { user_group_id: other })
  await show(mira, 'PATCH /user_groups/{user_group_id}', { user_group_id: other, deactivated: false })
  await show(mira, 'DELETE /user_groups/{user_group_id}', { user_group_id: other })
}

const showOrganization: Part = async (show, { mira, sam }) => {
  await show(mira, 'PATCH /realm', { name: 'Castellan & Co.', description: 'We make chairs.' })
  await show(mira, 'PATCH /realm', { topics_policy: 'disable_empty_topic' })
  await show(mira, 'PATCH /realm/user_settings_defaults', { twenty_four_hour_time: true })
  await show(mira, 'POST /realm/domains', { domain: 'example.org', allow_subdomains: false })
  await show(mira, 'GET /realm/domains')
  await show(mira, 'PATCH /realm/domains/{domain}', { domain: 'example.org', allow_subdomains: true })
  await show(mira, 'DELETE /realm/domains/{domain}', { domain: 'example.org' })
  const { id: filter_id } = await show(mira, 'POST /realm/filters', {
    pattern: '#(?P<id>[0-9]+)',
    url_template: 'https://example.com/issues/{id}',
  })
  await show(mira, 'GET /realm/linkifiers')
  await show(mira, 'GET /realm/filters')
  await show(mira, 'PATCH /realm/filters/{filter_id}', {
    filter_id,
    pattern: '#(?P<id>[0-9]+)',
    url_template: 'https://example.com/i/{id}',
  })
  await show(mira, 'PATCH /realm/linkifiers', { ordered_linkifier_ids: [filter_id] })
  await show(mira, 'DELETE /realm/filters/{filter_id}', { filter_id })
  const playground = {
    name: 'Python playground',
    pygments_language: 'Python',
    url_template: 'https://python.example/?code={code}',
  }
  const { id: playground_id } = await show(mira, 'POST /realm/playgrounds', playground)
  await show(mira, 'DELETE /realm/playgrounds/{playground_id}', { playground_id })
  const { id: field_id } = await show(mira, 'POST /realm/profile_fields', {
    name: 'Pronouns',
    hint: 'As others should use them',
    field_type: 1,
  })
  await show(mira, 'GET /realm/profile_fields')
  await show(mira, 'PATCH /realm/profile_fields/{field_id}', { field_id, hint: 'How others should call you' })
  await show(mira, 'PATCH /realm/profile_fields', { order: [field_id] })
  await show(sam, 'PATCH /users/me/profile_data', { data: [{ id: field_id, value: 'he/him' }] })
  await show(sam, 'DELETE /users/me/profile_data', { data: [field_id] })
  await show(mira, 'DELETE /realm/profile_fields/{field_id}', { field_id })
  await show(mira, 'POST /realm/test_welcome_bot_custom_message', { welcome_message_custom_text: 'Welcome!' })
  await show(mira, 'GET /realm/audit_log', { limit: 2 })
  await show(sam, 'PATCH /settings', { allow_private_data_export: true })
  await show(mira, 'GET /export/realm/consents')
  await show(mira, 'POST /export/realm')
  await show(mira, 'GET /export/realm')
}

const showFiles: Part = async (show, { mira, sam }) => {
  const { url } = await show(sam, 'POST /user_uploads', {}, file)
  const [realm_id, ...path] = (url as string).slice('/user_uploads/'.length).split('/')
  await show(sam, 'POST /messages', { type: 'direct', to: [mira.user_id], content: `[logo.png](${url})` })
  await show(sam, 'GET /user_uploads/{realm_id}/{path}', { realm_id, path: path.join('/') })
  const { attachments } = await show(sam, 'GET /attachments')
  await show(sam, 'DELETE /attachments/{attachment_id}', { attachment_id: attachments[0].id })
  await show(mira, 'POST /realm/emoji/{emoji_name}', { emoji_name: 'chair' }, file)
  await show(mira, 'GET /realm/emoji')
  await show(mira, 'DELETE /realm/emoji/{emoji_name}', { emoji_name: 'chair' })
  await show(mira, 'POST /users/me/avatar', {}, file)
  await show(mira, 'DELETE /users/me/avatar')
  await show(mira, 'POST /realm/icon', {}, file)
  await show(mira, 'DELETE /realm/icon')
  await show(mira, 'POST /realm/logo', { night: false }, file)
  await show(mira, 'DELETE /realm/logo', { night: false })
}

const showEnd: Part = async (show, { mira, sam, lena }, look) => {
  const { stream_id } = await show(mira, 'GET /get_stream_id', { stream: 'support' })
  await show(mira, 'DELETE /streams/{stream_id}', { stream_id })
  await show(mira, 'PATCH /streams/{stream_id}', { stream_id, is_archived: false })
  await show(lena, 'DELETE /users/me')
  await look()
  await show(sam, 'POST /users/me/api_key/regenerate')
  await show(mira, 'POST /realm/deactivate')
}
