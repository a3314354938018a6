/** Reminders about messages, and reports of messages to the moderators. */
import { expect, test } from 'vitest'
import { listen } from '../setup/realm/event-listener.js'
import { makeScheduledDue } from '../setup/realm/jobs.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'

const soon = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

/** Waits until `count` messages have arrived in the queue, and returns their contents. */
const texts = async ({ events }: Awaited<ReturnType<typeof listen>>, count: number): Promise<string[]> => {
  const found: string[] = []
  while (found.length < count) {
    for (const { message } of await events()) found.push((message as { content: string }).content)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return found
}

test('A reminder is delivered at its time to the user who requested it, if the user can still read the message.', {
  timeout: 30_000,
}, async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const stream_id = await createChannel(ada, 'design', [ada, grace])
  const id = await postMessage(ada, 'design', 'logo', 'see ```this```')
  const direct = await sendDirectMessage(ada, [grace], 'hello')
  const lost = await postMessage(ada, 'design', 'logo', 'soon gone')
  const graceListener = await listen(grace, { event_types: ['message'], apply_markdown: false })
  for (const message_id of [lost, id, direct]) {
    const asked = { message_id, scheduled_delivery_timestamp: soon(3_600) }
    expect(await ok(grace, 'POST', '/reminders', asked)).toMatchObject({ reminder_id: expect.any(Number) })
  }
  await ok(ada, 'DELETE', `/messages/${lost}`)
  await makeScheduledDue(realm)
  const said = `@_**Ada|${ada.user_id}** [said]`
  const link = `#narrow/channel/${stream_id}-design/topic/logo/near/${id}`
  expect((await texts(graceListener, 2)).sort()).toEqual([
    `You requested a reminder for #**design>logo@${id}**.\n\n${said}(${link}):\n\`\`\`\`quote\nsee \`\`\`this\`\`\`\n\`\`\`\``,
    `You requested a reminder for a direct message.\n\n${said}(#narrow/dm/${ada.user_id},${grace.user_id}-pm/near/${direct}):\n\`\`\`quote\nhello\n\`\`\``,
  ])
})

test('A reminder must be in the future and about a message that the user can read.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  await using _ = realm
  const [ada, grace, alan] = people as [Person, Person, Person]
  const message_id = await sendDirectMessage(ada, [grace])
  const ask = (by: Person, at: number) =>
    readRefusal(call(by, 'POST', '/reminders', { message_id, scheduled_delivery_timestamp: at }))
  expect(await ask(ada, soon(-1))).toEqual(badRequest('scheduled_delivery_timestamp must be in the future.'))
  expect(await ask(alan, soon(60))).toEqual(badRequest('There is no such message, or you may not read it.'))
})

test('A reminder with a note has it in the list and in the event; one without has none.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const message_id = await sendDirectMessage(ada, [ada])
  const listener = await listen(ada, { event_types: ['reminders'] })
  for (const note of [' with a pen ', undefined]) {
    await ok(ada, 'POST', '/reminders', { message_id, scheduled_delivery_timestamp: soon(3_600), note })
  }
  const { reminders } = await ok(ada, 'GET', '/reminders')
  const received = (await listener.events()).flatMap((event) => event.reminders as { note?: string }[])
  for (const list of [reminders, received]) expect(list.map(({ note }) => note)).toEqual(['with a pen', undefined])
})

test('A report is posted with the message in the moderation channel, and an invalid report is refused.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace', 'Alan')
  await using _ = realm
  const [ada, grace, alan] = people as [Person, Person, Person]
  const moderation_request_channel_id = await createChannel(ada, 'moderation', [ada], { invite_only: true })
  const id = await sendDirectMessage(grace, [alan], 'you fool')
  const report = (by: Person, params: Record<string, unknown>) => call(by, 'POST', `/messages/${id}/report`, params)
  expect(await readRefusal(report(alan, { report_type: 'spam' }))).toEqual(
    badRequest('This organization does not accept reports: its administrators must first set a channel for them.'),
  )
  await updateRealmSettings(realm, { moderation_request_channel_id })
  expect(await readRefusal(report(ada, { report_type: 'spam' }))).toEqual(
    badRequest('There is no such message, or you may not read it.'),
  )
  expect(await readRefusal(report(alan, { report_type: 'dull' }))).toEqual(
    badRequest('Invalid report_type: send one of spam, harassment, inappropriate, norms, other.'),
  )
  expect(await readRefusal(report(alan, { report_type: 'other' }))).toEqual(
    badRequest('A report of the type other needs a description.'),
  )
  const description = 'x'.repeat(1_001)
  expect(await readRefusal(report(alan, { report_type: 'spam', description }))).toEqual(
    badRequest('description may have at most 1000 characters.'),
  )
  for (const report_type of ['spam', 'harassment', 'inappropriate', 'norms']) {
    expect(await readRefusal(report(alan, { report_type }))).toMatchObject({ status: 200 })
  }
  expect(await readRefusal(report(alan, { report_type: 'other', description: 'Rude.' }))).toMatchObject({ status: 200 })
  const adaListener = await listen(ada, { event_types: ['message'], apply_markdown: false })
  const reported = async (message_id: number, params: Record<string, unknown>) => {
    await ok(alan, 'POST', `/message/${message_id}/report`, params)
    const [{ message }] = (await adaListener.events()).slice(-1) as unknown as [{ message: { content: string } }]
    expect(message).toMatchObject({ display_recipient: 'moderation', subject: 'Reports about Grace' })
    return message.content
  }
  const by = `@_**Alan|${alan.user_id}** reported`
  const said = (link: string, content: string) =>
    `@_**Grace|${grace.user_id}** [said](#narrow/${link}):\n\`\`\`quote\n${content}\n\`\`\``
  expect(await reported(id, { report_type: 'harassment', description: ' He insults me. ' })).toBe(
    `${by} a direct message.\n\n**Harassment.** He insults me.\n\n${said(`dm/${grace.user_id},${alan.user_id}-pm/near/${id}`, 'you fool')}`,
  )
  const stream_id = await createChannel(ada, 'design', [ada])
  const posted = await postMessage(grace, 'design', 'logo', 'you fools')
  expect(await reported(posted, { report_type: 'norms' })).toBe(
    `${by} #**design>logo@${posted}**.\n\n**Against the norms of the community.**\n\n${said(`channel/${stream_id}-design/topic/logo/near/${posted}`, 'you fools')}`,
  )
})
