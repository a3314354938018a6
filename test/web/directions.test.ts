/** Names in Hebrew and Arabic keep to themselves: the words, signs and numbers around them stay where they are. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { noBrowser } from '../setup/web/browser.js'
import { openWebPages, PATIENCE_MS, type WebPages } from '../setup/web/web-pages.js'

const channel = 'תוכניות'
const topic = 'مرحبا بالعالم'
const person = 'נועה לוי'

describe.skipIf(noBrowser !== undefined)(`Names from right to left${noBrowser ?? ''}`, { timeout: 120_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let page: Page
  let ada: Person
  let noa: Person
  let bot: number
  let groupId: number
  let channelId: number

  beforeAll(async () => {
    realm = await newRealm()
    ;[ada, noa] = (await realm.people(
      { full_name: 'Ada', role: Role.owner, settings: neverFollowing },
      { full_name: person, settings: neverFollowing },
    )) as [Person, Person]
    channelId = Number(await createChannel(noa, channel, [ada, noa]))
    const other = await createChannel(ada, `${channel} ישנות`, [ada])
    await ok(ada, 'DELETE', `/streams/${other}`)
    await postMessage(noa, channelId, topic, '/poll Lunch?\nSoup')
    const id = await postMessage(noa, channelId, topic, 'A message')
    await ok(noa, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    await sendDirectMessage(noa, [ada], 'Another message')
    await ok(ada, 'POST', '/drafts', {
      drafts: [{ type: 'stream', to: [channelId], topic, content: 'An unfinished thought' }],
    })
    await ok(ada, 'POST', '/scheduled_messages', {
      type: 'channel',
      to: channelId,
      topic,
      content: 'Good morning',
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 86_400,
    })
    await ok(ada, 'POST', '/user_groups/create', { name: 'גננים', description: 'x', members: [noa.user_id] })
    const { user_groups } = await ok(ada, 'GET', '/user_groups')
    groupId = user_groups.find(({ name }) => name === 'גננים')?.id ?? 0
    const created = await ok(noa, 'POST', '/bots', { full_name: 'רובוט', short_name: 'robot' })
    bot = Number(created.user_id)
    pages = await openWebPages(realm)
    page = await pages.logIn('Ada')
  }, 60_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const addresses = (): Record<string, string> => ({
    inbox: '#inbox',
    recent: '#recent',
    feed: '#feed',
    channel: `#narrow/channel/${channelId}`,
    topic: `#narrow/channel/${channelId}/topic/${encodeURIComponent(topic).replaceAll('%', '.')}`,
    direct: `#narrow/dm/${noa.user_id}-x`,
    sender: `#narrow/sender/${noa.user_id}-x`,
    drafts: '#drafts',
    scheduled: '#scheduled',
    card: `#user/${noa.user_id}`,
    bot: `#user/${bot}`,
    channels: '#channels/all',
    archived: '#channels/archived',
    'channel-about': `#channels/${channelId}/settings/general`,
    subscribers: `#channels/${channelId}/settings/subscribers`,
    groups: '#groups/all',
    'group-about': `#groups/${groupId}/x/general`,
    'group-members': `#groups/${groupId}/x/members`,
    users: '#organization/users',
  })

  test('Every text with a name is isolated, in all views and dialogs.', async () => {
    const found: Record<string, unknown> = {}
    for (const [view, fragment] of Object.entries(addresses())) {
      await page.goto(`${pages.url}/${fragment}`)
      await page.waitForLoadState('networkidle')
      await expect.poll(() => page.evaluate(isShown(fragment)), { timeout: PATIENCE_MS }).toBe(true)
      const mixed = (await page.evaluate(findMixedTexts)) as string[]
      if (mixed.length > 0) found[view] = mixed
    }
    expect(found).toEqual({})
  })

  test('A field for a name follows the direction of what is written.', async () => {
    await page.goto(`${pages.url}/#channels/${channelId}/settings/general`)
    const field = page.getByRole('dialog').getByLabel('Name')
    expect(await field.inputValue()).toBe(channel)
    expect(await page.evaluate(`getComputedStyle(document.querySelector('dialog input')).direction`)).toBe('rtl')
  })
})

const LETTERS = '[\\u0590-\\u06ff]'

/** Runs in the page: whether the view or the dialog of the address has its content, with a name in it. */
const isShown = (fragment: string): string => `(() => {
  const part = document.querySelector(${/^#(narrow|inbox|recent|feed|drafts|scheduled)/.test(fragment) ? "'main'" : "'dialog[open]'"})
  return part !== null && new RegExp('${LETTERS}').test(part.innerText) && !part.innerText.includes('Loading…')
})()`

/** Runs in the page: texts that have such letters, and no element of their own that isolates them. */
const findMixedTexts = `(() => {
  const letters = new RegExp('${LETTERS}')
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found = []
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement
    if (!letters.test(node.data) || parent.closest('option, .only-for-screen-readers, .rendered-message') !== null) continue
    const isolating = parent.closest('bdi, [dir="auto"]')
    const block = parent.closest('p, li, dd, td, h1, h2, h3, button, a, div, label')
    if (isolating === null || (block !== null && isolating.contains(block) && isolating !== block))
      found.push(parent.tagName + '.' + parent.className + ': ' + node.data)
  }
  return found
})()`
