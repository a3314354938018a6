/**
 * An organization whose people use only Greek letters. So whatever has Latin letters is a text of the page or of the
 * server, or a code.
 */
import { Role } from '../../../src/domain/log/rows.js'
import { createChannel, postMessage, sendDirectMessage } from '../realm/messages.js'
import { newRealm, ok, type Person } from '../realm/realm.js'
import { neverFollowing } from '../realm/realm-with-people.js'
import { updateRealmSettings } from '../realm/row-changes.js'
import { redPixel, upload } from '../requests/files.js'
import type { BusyOrganization } from './busy-organization.js'

/** The topics in place of those of a busy organization, as links write them. */
export const greekTopics: Readonly<Record<string, string>> = {
  'every.20kind': '.CE.B5.CE.AF.CE.B4.CE.B7',
  'an.20old.20question': '.CF.80.CE.B1.CE.BB.CE.B9.CE.AC',
  'nothing.20here': '.CE.BA.CE.B5.CE.BD.CF.8C',
  plants: '.CF.86.CF.85.CF.84.CE.AC',
  xylophone: '.CE.BE.CF.8D.CE.BB.CE.BF',
}

/** One message of each kind that has texts of the page. */
const texts = [
  'Ένα **μήνυμα** :octopus:',
  '```python\nα = 1\n```',
  `| Α | Β |\n|---|---|\n${'| μία πολύ μεγάλη γραμμή που δεν χωράει πουθενά | '.repeat(2)}|`,
  '$$α^2$$',
  '```spoiler Τέλος\nΖουν καλά.\n```',
  '```spoiler\nΖουν καλά.\n```',
  '@**Άδα** και @**Ξένος** στις <time:2026-11-27T12:00:00Z>',
  '/me τρώει',
  `Μεγάλο.\n\n${'Έχει πολλές παραγράφους, και δεν χωράει στην οθόνη.\n\n'.repeat(40)}`,
]

/** Creates the organization. @param language of all its accounts */
export const createGreekOrganization = async (language: string): Promise<BusyOrganization> => {
  const realm = await newRealm()
  const settings = { ...neverFollowing, default_language: language }
  const people = await realm.people(
    { full_name: 'Άδα', email: '1@example.com', role: Role.owner, settings },
    { full_name: 'Γκρέις', email: '2@example.com', settings },
    { full_name: 'Λίνος', email: '3@example.com', role: Role.moderator, settings },
    { full_name: 'Ξένος', email: '4@example.com', role: Role.guest, settings },
  )
  const [ada, grace, linus, guest] = people as [Person, Person, Person, Person]
  await updateRealmSettings(realm, { default_language: language })
  await ok(ada, 'PATCH', '/realm', {
    name: 'Οργάνωση',
    description: 'Για **όλους**',
    enable_spectator_access: true,
    send_channel_events_messages: false,
    enable_guest_user_indicator: true,
    enable_guest_user_dm_warning: true,
    enable_read_receipts: true,
  })
  const channelId = Number(
    await createChannel(ada, 'γενικά', people, {
      subscriptions: [{ name: 'γενικά', description: 'Τα **γενικά**' }],
      is_web_public: true,
    }),
  )
  const privateId = await createChannel(ada, 'σχέδια', [ada, grace], { invite_only: true })
  await ok(ada, 'PATCH', '/realm', { moderation_request_channel_id: privateId })
  await createChannel(grace, 'αστέρια', [grace])
  await ok(ada, 'DELETE', `/streams/${await createChannel(ada, 'παλιά', [ada])}`)
  const messageIds: number[] = []
  for (const text of texts) messageIds.push(await postMessage(grace, channelId, 'είδη', text))
  const picture = { filename: 'α.png', type: 'image/png', data: redPixel }
  const { json } = await upload(grace, '/user_uploads', picture)
  messageIds.push(await postMessage(grace, channelId, 'είδη', `[α.png](${json.url})`))
  messageIds.push(await postMessage(grace, channelId, 'είδη', '/poll Φαγητό;\nΠίτα\nΣούπα'))
  messageIds.push(await postMessage(ada, channelId, 'είδη', '/todo Δουλειές\nΝερό'))
  const own = await postMessage(ada, channelId, 'είδη', 'Δικό μου')
  await ok(ada, 'PATCH', `/messages/${own}`, { content: 'Δικό μου, καινούριο' })
  const [first = 0] = messageIds
  await ok(ada, 'POST', `/messages/${own}/reactions`, { emoji_name: 'octopus' })
  await ok(ada, 'POST', `/messages/${first}/reactions`, { emoji_name: 'octopus' })
  await ok(ada, 'POST', '/messages/flags', { messages: [first], op: 'add', flag: 'starred' })
  await postMessage(grace, channelId, '✔ παλιά', 'Λύθηκε.')
  for (let i = 1; i <= 12; i += 1) await postMessage(grace, channelId, `θέμα ${i}`, 'Γεια')
  await postMessage(grace, 'σχέδια', 'άνοιξη', 'φυτά')
  await sendDirectMessage(grace, [ada], 'Γεια')
  await sendDirectMessage(grace, [ada, linus], 'Γεια σας')
  await ok(ada, 'DELETE', `/messages/${await postMessage(ada, channelId, 'είδη', 'Λάθος')}`)
  await fillSettings(ada, grace, channelId, first)
  await ok(ada, 'POST', '/user_groups/create', {
    name: 'κηπουροί',
    description: 'Τα φυτά',
    members: [ada.user_id, grace.user_id],
  })
  const { user_groups } = await ok(ada, 'GET', '/user_groups')
  const groupId = user_groups.find(({ name }) => name === 'κηπουροί')?.id ?? 0
  return {
    realm,
    ada,
    grace,
    guest,
    channelId,
    groupId,
    messageIds,
    [Symbol.asyncDispose]: () => realm[Symbol.asyncDispose](),
  }
}

/** Gives each list of the settings an entry. */
const fillSettings = async (ada: Person, grace: Person, channelId: number, messageId: number): Promise<void> => {
  const tomorrow = Math.floor(Date.now() / 1_000) + 86_400
  await ok(ada, 'POST', '/users/me/status', { status_text: 'Σε σύσκεψη', emoji_name: 'calendar' })
  await ok(ada, 'POST', '/drafts', {
    drafts: [{ type: 'stream', to: [channelId], topic: 'είδη', content: 'Μία σκέψη' }],
  })
  await ok(ada, 'POST', '/scheduled_messages', {
    type: 'channel',
    to: channelId,
    topic: 'είδη',
    content: 'Καλημέρα',
    scheduled_delivery_timestamp: tomorrow,
  })
  await ok(ada, 'POST', '/reminders', { message_id: messageId, scheduled_delivery_timestamp: tomorrow })
  await ok(ada, 'POST', '/saved_snippets', { title: 'Κείμενο', content: 'Κείμενο' })
  await ok(ada, 'POST', '/users/me/alert_words', { alert_words: ['λέξη'] })
  await ok(ada, 'POST', '/user_topics', { stream_id: channelId, topic: 'θέμα 1', visibility_policy: 3 })
  await ok(ada, 'POST', '/user_topics', { stream_id: channelId, topic: 'θέμα 2', visibility_policy: 1 })
  await ok(ada, 'POST', `/users/me/muted_users/${grace.user_id}`)
  await ok(ada, 'POST', '/channel_folders/create', { name: 'φάκελος', description: 'φάκελος' })
  await ok(ada, 'POST', '/realm/profile_fields', { name: 'Πεδίο', hint: 'Πεδίο', field_type: 1 })
  await ok(ada, 'POST', '/realm/filters', {
    pattern: '#(?P<id>[0-9]+)',
    url_template: 'https://example.com/{id}',
  })
  await ok(ada, 'POST', '/realm/playgrounds', {
    name: 'παιχνίδι',
    pygments_language: 'python',
    url_template: 'https://example.com/?q={code}',
  })
  await ok(ada, 'POST', '/default_streams', { stream_id: channelId })
  await ok(ada, 'POST', '/invites', { invitee_emails: '5@example.com', stream_ids: [channelId] })
  await ok(ada, 'POST', '/invites/multiuse', {})
  await ok(ada, 'POST', '/bots', { full_name: 'Ρομπότ', short_name: '7', bot_type: 1 })
}
