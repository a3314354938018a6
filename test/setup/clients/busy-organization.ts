/** An organization in which every part of the page has something to show, and the addresses of its views. */
import { Role } from '../../../src/domain/log/rows.js'
import { createChannel, postMessage, sendDirectMessage } from '../realm/messages.js'
import { newRealm, ok, type Person, type TestRealm } from '../realm/realm.js'
import { neverFollowing } from '../realm/realm-with-people.js'
import { updateRealmSettings } from '../realm/row-changes.js'
import { redPixel, upload } from '../requests/files.js'

export interface BusyOrganization extends AsyncDisposable {
  realm: TestRealm
  /** the owner, who looks at the views */
  ada: Person
  grace: Person
  guest: Person
  channelId: number
  groupId: number
  /** one message of each kind, in the topic `every kind` */
  messageIds: readonly number[]
}

/** One message of each kind that looks different. */
const texts = [
  'A plain message with **bold**, *italic*, `code`, [a link](https://example.com) and :octopus:',
  '> A quotation\n\nand a list:\n\n* one\n* two\n  * three\n\n1. first\n2. second',
  '```python\ndef area(radius):\n    # A long line: it must scroll inside its own box, and never make the page wider than the screen of a phone.\n    return 3.14159 * radius ** 2\n```',
  '| Quarter | Revenue | Costs | Profit | Remarks | Responsible | Reviewed by |\n|---|---:|---:|---:|---|---|---|\n| First | 1,200 | 900 | 300 | Better than the year before | Grace | Ada |\n| Second | 1,500 | 1,000 | 500 | Still better | Ada | Grace |',
  '$$\\int_0^\\infty e^{-x^2} dx = \\frac{\\sqrt{\\pi}}{2}$$ and inline $$a^2 + b^2 = c^2$$',
  '```spoiler The end of the film\nThey all live happily.\n```',
  'مرحبا بالعالم، هذه رسالة بالعربية مع words in English داخلها',
  'שלום עולם, זו הודעה בעברית',
  '@**Ada** please look at #**general>every kind** at <time:2026-11-27T12:00:00Z>',
  ':tada: :heart:',
  '/me is having lunch',
  `A long message.\n\n${'It has many paragraphs, so it does not fit on a screen.\n\n'.repeat(40)}`,
  'https://example.com/a/very/long/address/without/any/place/to/break/it/because/it/is/one/word/and/goes/on/and/on/and/on',
]

/** Creates the organization. */
export const createBusyOrganization = async (): Promise<BusyOrganization> => {
  const realm = await newRealm()
  const people = await realm.people(
    { full_name: 'Ada', role: Role.owner, settings: neverFollowing },
    { full_name: 'Grace', settings: neverFollowing },
    { full_name: 'Linus with a very long name that no column can show completely', role: Role.moderator },
    { full_name: 'Guest', role: Role.guest },
  )
  const [ada, grace, linus, guest] = people as [Person, Person, Person, Person]
  await updateRealmSettings(realm, { send_channel_events_messages: false, enable_spectator_access: true })
  const channelId = Number(
    await createChannel(ada, 'general', people, {
      subscriptions: [{ name: 'general', description: 'What **everyone** reads' }],
      is_web_public: true,
    }),
  )
  await createChannel(ada, 'plans', [ada, grace], { invite_only: true })
  await createChannel(grace, 'observatory', [grace])
  const oldId = await createChannel(ada, 'old projects', [ada])
  await ok(ada, 'DELETE', `/streams/${oldId}`)
  const messageIds: number[] = []
  for (const text of texts) messageIds.push(await postMessage(grace, channelId, 'every kind', text))
  const { json } = await upload(grace, '/user_uploads', { filename: 'red.png', type: 'image/png', data: redPixel })
  messageIds.push(await postMessage(grace, channelId, 'every kind', `A picture: [red.png](${json.url})`))
  messageIds.push(await postMessage(grace, channelId, 'every kind', '/poll Lunch?\nPizza\nSoup'))
  messageIds.push(await postMessage(grace, channelId, 'every kind', '/todo Jobs\nWater the plants'))
  const [first = 0] = messageIds
  await ok(ada, 'POST', `/messages/${first}/reactions`, { emoji_name: 'tada' })
  await ok(ada, 'POST', '/messages/flags', { messages: [first], op: 'add', flag: 'starred' })
  await postMessage(grace, channelId, '✔ an old question', 'This is resolved.')
  for (let i = 1; i <= 12; i += 1) await postMessage(grace, channelId, `topic ${i} of a channel with many topics`)
  await postMessage(grace, 'plans', 'spring', 'Plant trees')
  await sendDirectMessage(grace, [ada], 'A direct message')
  await sendDirectMessage(grace, [ada, linus], 'To both of you')
  await ok(ada, 'POST', '/users/me/status', { status_text: 'In a meeting', emoji_name: 'calendar' })
  await ok(ada, 'POST', '/drafts', {
    drafts: [{ type: 'stream', to: [channelId], topic: 'every kind', content: 'An unfinished **thought**' }],
  })
  const tomorrow = Math.floor(Date.now() / 1_000) + 86_400
  await ok(ada, 'POST', '/scheduled_messages', {
    type: 'channel',
    to: channelId,
    topic: 'every kind',
    content: 'Good morning',
    scheduled_delivery_timestamp: tomorrow,
  })
  await ok(ada, 'POST', '/user_groups/create', {
    name: 'gardeners',
    description: 'Who waters the plants',
    members: [ada.user_id, grace.user_id],
  })
  const { user_groups } = await ok(ada, 'GET', '/user_groups')
  const groupId = user_groups.find(({ name }) => name === 'gardeners')?.id ?? 0
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
