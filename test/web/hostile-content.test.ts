/**
 * What a hostile user, an import or a fault of the server could store is drawn in a real browser: no form of it loses
 * another message or a part of the page. What cannot be drawn is one line, which can be deleted.
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Role } from '../../src/domain/log/rows.js'
import { createChannel, postMessage, sendDirectMessage } from '../setup/realm/messages.js'
import { call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { neverFollowing } from '../setup/realm/realm-with-people.js'
import { noBrowser } from '../setup/web/browser.js'
import { inspectPage, openWebPages, PATIENCE_MS, type WebPages } from '../setup/web/web-pages.js'

const odd = { toString: 1, valueOf: 1 }
const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

/** First submessages that older servers accepted, or that only a database can contain. */
const descriptions: readonly string[] = [
  '{"widget_type":"todo","extra_data":{"tasks":[null]}}',
  '{"widget_type":"todo","extra_data":{"tasks":[[1],"x",7,{"task":{"toString":1}}]}}',
  '{"widget_type":"todo","extra_data":{"tasks":{"length":2}}}',
  '{"widget_type":"todo","extra_data":{"task_list_title":{"toString":1},"tasks":[]}}',
  '{"widget_type":"poll","extra_data":{"question":{"toString":1}}}',
  '{"widget_type":"poll","extra_data":{"question":["a"],"options":[{"valueOf":1}]}}',
  '{"widget_type":"poll","extra_data":{"question":"x","options":[null,[],{}]}}',
  '{"widget_type":{"toString":1},"extra_data":null}',
  '{"widget_type":"poll","extra_data":[]}',
  '{"widget_type":"zform","extra_data":{"choices":[null]}}',
  '{"widget_type":"__proto__","extra_data":{"__proto__":null}}',
  `{"widget_type":"poll","extra_data":{"question":"x","options":${deep(5_000)}}}`,
  'null',
  '[null]',
  '"poll"',
  '7',
  'no JSON',
  '',
]

/** Actions on a poll and on a to-do list. */
const actions: readonly unknown[] = [
  null,
  [odd],
  { type: odd },
  { type: 'vote', key: odd, vote: 1 },
  { type: 'vote', key: 'canned,0', vote: odd },
  { type: 'new_option', idx: odd, option: 'odd index' },
  { type: 'new_option', idx: 1, option: odd },
  { type: 'question', question: odd },
  { type: 'new_task', key: odd, task: 'odd key' },
  { type: 'new_task', key: 1, task: odd, desc: odd },
  { type: 'new_task', key: 2, task: 'odd description', desc: odd, completed: odd },
  { type: 'new_task_list_title', title: odd },
  { type: 'strike', key: odd },
  { type: 'vote', key: '__proto__', vote: 1 },
  { type: 'vote', key: 'constructor', vote: -1 },
  { type: 'vote', key: 'canned,1e999', vote: 1 },
  { type: 'new_option', idx: 1e308 },
  { type: 'new_option', idx: -1, option: [] },
  { type: 'new_option', idx: 0.5, option: 'half' },
  { type: '__proto__', question: 'x' },
  { type: 'strike', key: 'toString' },
  { type: 'new_task', key: 1e308, task: null },
  { type: ['vote'], key: ['canned,0'], vote: [1] },
]

/** HTML that the renderer never writes. */
const contents: readonly string[] = [
  '',
  '<',
  '<p',
  `${'<blockquote>'.repeat(3_000)}deep`,
  `<p>${'x'.repeat(200_000)}</p>`,
  '<table><tr><td style="text-align:">x</td></table><tr>',
  '<span class="emoji emoji-ffffffff">:x:</span><span class="emoji emoji-">:y:</span>',
  '<span class="emoji emoji-110000-0">:z:</span><img class="emoji">',
  '<span class="user-mention" data-user-id="NaN">@x</span><span class="user-group-mention" data-user-group-id="{}">@y</span>',
  '<time datetime="not a time">x</time><time datetime="+999999-01-01T00:00:00Z">y</time>',
  '<div class="codehilite"></div><div class="codehilite" data-code-language=""><pre></pre></div>',
  '<div class="spoiler-block"><div class="spoiler-content"></div></div><div class="spoiler-block"></div>',
  '<div class="message_inline_image"><a><img data-original-dimensions="NaNxInfinity"></a></div>',
  '<div class="message_inline_image"><a href="/x"><img data-original-dimensions="0x-5" src="data:,"></a></div>',
  '<div class="message_embed"><a class="message_embed_image" style="background-image: url(&quot;javascript:1&quot;)"></a></div>',
  '<div class="message_embed"><div class="data-container"><div class="message_embed_title"><a>no address</a></div></div></div>',
  '<div class="message_embed"><a class="message_embed_image" href="https://[" style="background-image: url(&quot;https://[&quot;)"></a><div class="data-container"><div class="message_embed_description"><div class="message_embed"></div></div></div></div>',
  '<div class="message_embed"></div><div class="message_embed"><div class="data-container"></div></div>',
  '<div class="message_inline_image message_inline_video"><a href=""><video src=""></video></a></div><div class="youtube-video message_inline_image"><a data-id="{}"></a></div>',
  '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked></li></ul><li>alone</li>',
  '<span class="katex"><math><mi></mi><annotation encoding="x"></annotation></math><span style="height:1e99em"></span></span>',
  '<a href="">x</a><a href="#narrow/channel/%E0%A4%A">y</a><a href="https://[">z</a><a class="stream" data-stream-id="{}">#w</a>',
  '<p>\u0001\uFFFE\u202E\u2066unclosed</p>',
  '<svg><foreignObject><p>x</p></foreignObject></svg><math><annotation-xml><p>y</p></annotation-xml></math>',
]

/** Names and topics. The last ones change the direction of what follows them if they are not isolated. */
const names: readonly string[] = [
  '<b>x</b>',
  '__proto__',
  'constructor',
  '%E0%A4%A',
  'x'.repeat(60),
  '\u202Ebackwards',
  '🏳️‍🌈👩‍👩‍👧‍👦',
  '{{x}} <%= x %> &lt;',
]

/** Functions of the browser that fail for a marked text stand for the form that nobody thought of. */
const sabotage = `
  const parse = DOMParser.prototype.parseFromString
  DOMParser.prototype.parseFromString = function (text, type) {
    if (text.includes('UNDRAWABLE')) throw new Error('UNDRAWABLE')
    return parse.call(this, text, type)
  }
  const split = String.prototype.split
  String.prototype.split = function (...given) {
    if (this.startsWith('Undrawable')) throw new Error('UNDRAWABLE')
    return split.apply(this, given)
  }`

describe.skipIf(noBrowser !== undefined)(`Hostile content${noBrowser ?? ''}`, { timeout: 120_000 }, () => {
  let realm: TestRealm
  let pages: WebPages
  let page: Page
  let ada: Person
  let grace: Person
  let channelId: number

  beforeAll(async () => {
    realm = await newRealm()
    const people = await realm.people(
      { full_name: 'Ada', role: Role.owner, settings: neverFollowing },
      { full_name: 'Grace', settings: neverFollowing },
      ...names.map((full_name) => ({ full_name, settings: neverFollowing })),
      { full_name: 'Undrawable', settings: neverFollowing },
    )
    ;[ada, grace] = people as [Person, Person]
    channelId = Number(await createChannel(ada, 'general', people))
    await storeWidgets()
    await storeMessages(people)
    await storeUsers()
    pages = await openWebPages(realm)
    const context = await pages.newContext()
    await context.addInitScript(sabotage)
    page = await pages.logIn('Ada', context)
  }, 90_000)

  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]()
    await realm?.[Symbol.asyncDispose]()
  })

  const submit = (message_id: number, content: string) => realm.sql`
    insert into submessages (realm_id, message_id, sender_id, msg_type, content)
    values (${realm.realm_id}, ${message_id}, ${grace.user_id}, 'widget', ${content})`

  const storeWidgets = async () => {
    for (const [index, description] of descriptions.entries()) {
      const id = await postMessage(grace, channelId, 'widgets', `description ${index}.`)
      await submit(id, description)
    }
    for (const [text, label] of [
      ['/poll Lunch?\nSoup', 'Soup'],
      ['/todo Jobs\nWater the plants', 'Water the plants'],
    ]) {
      const id = await postMessage(grace, channelId, 'widgets', text)
      for (const action of actions) await submit(id, JSON.stringify(action))
      await submit(id, deep(20_000))
      await postMessage(grace, channelId, 'widgets', `After ${label}.`)
    }
  }

  const storeMessages = async (people: readonly Person[]) => {
    for (const [index, html] of contents.entries()) {
      const id = await postMessage(grace, channelId, 'contents', 'x')
      await realm.sql`
        update messages set rendered_content = ${html} where realm_id = ${realm.realm_id} and id = ${id}`
      await postMessage(grace, channelId, 'contents', `after content ${index}.`)
    }
    for (const name of names) await postMessage(grace, channelId, name, 'In an odd topic.')
    const reacted = await postMessage(grace, channelId, 'people', 'With odd reactions.')
    for (const [index, code] of ['', 'zzz', 'ffffffff', '1f4a9-', '-', '__proto__'].entries()) {
      for (const type of ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji']) {
        await realm.sql`insert into reactions (realm_id, message_id, user_id, reaction_type, emoji_code, emoji_name)
          values (${realm.realm_id}, ${reacted}, ${grace.user_id}, ${type}, ${code}, ${`odd_${index}`})`
      }
    }
    for (const person of people.slice(2, -1)) await postMessage(person, channelId, 'people', 'By an odd name.')
    await postMessage(grace, channelId, 'people', 'The last one.')
    await postMessage(ada, channelId, 'faults', 'UNDRAWABLE')
    const timeless = await postMessage(ada, channelId, 'faults', 'At no time.')
    await realm.sql`
      update messages set timestamp = 9000000000000000 where realm_id = ${realm.realm_id} and id = ${timeless}`
    await postMessage(grace, channelId, 'faults', 'The last one.')
    await sendDirectMessage(people.at(-1) as Person, [ada], 'Hello')
  }

  const storeUsers = async () => {
    await ok(grace, 'POST', '/users/me/status', { status_text: '\u202Ebackwards <b>x</b>', emoji_name: 'tada' })
    await realm.sql`
      update user_statuses set emoji_code = 'zzz', reaction_type = 'unicode_emoji'
      where realm_id = ${realm.realm_id} and user_id = ${grace.user_id}`
    const values = ['', 'null', '{', '[null]', '[{"toString":1}]', '9999-99-99', 'javascript:alert(1)', 'x'.repeat(500)]
    const profile: Record<string, { value: string }> = {}
    let id = 900
    for (const type of [1, 2, 3, 4, 5, 6, 7, 8]) {
      for (const data of [
        '',
        'null',
        '{',
        '{"0":null}',
        '{"subtype":"constructor"}',
        '{"url_pattern":7,"subtype":"custom"}',
      ]) {
        id += 1
        await realm.sql`
          insert into profile_fields (realm_id, id, name, field_type, hint, field_data, position, required,
            editable_by_user, display_in_profile_summary)
          values (${realm.realm_id}, ${id}, ${`field ${id}`}, ${type}, '', ${data}, ${id}, false, true, false)`
        profile[id] = { value: values[id % values.length] as string }
      }
    }
    await realm.sql`
      update users set profile_data = ${JSON.stringify(profile)}::text::jsonb
      where realm_id = ${realm.realm_id} and id = ${grace.user_id}`
  }

  const openTopic = async (topic: string) => {
    await page.goto(`${pages.url}/#narrow/channel/${channelId}-general/topic/${topic}`)
    await page.getByRole('heading', { level: 1, name: topic }).waitFor()
  }
  const ids = async (topic: string): Promise<number[]> => {
    const narrow = JSON.stringify([
      { operator: 'channel', operand: channelId },
      { operator: 'topic', operand: topic },
    ])
    const { messages } = await ok(ada, 'GET', '/messages', { anchor: 'oldest', num_before: 0, num_after: 100, narrow })
    return messages.map(({ id }) => id)
  }

  /** Expects every message of the topic in the list, and its text: only a part of the list is in the page at once. */
  const showsAll = async (topic: string) => {
    const wanted = await ids(topic)
    const seen = new Map<number, string>()
    for (let index = 0; index < wanted.length; index += 5) {
      await page.goto(`${pages.url}/#narrow/channel/${channelId}-general/topic/${topic}/near/${wanted[index]}`)
      await page.locator(`article[data-id="${wanted[index]}"]`).waitFor()
      // All at one moment: the list changes while it is loaded.
      const missing = async () => {
        const texts = await page
          .locator('article')
          .evaluateAll((all) => all.map((one) => [Number(one.dataset.id), one.textContent ?? ''] as const))
        for (const [id, text] of texts) seen.set(id, text)
        return wanted.slice(index, index + 5).filter((id) => !seen.has(id))
      }
      await expect.poll(missing, { timeout: PATIENCE_MS }).toEqual([])
    }
    expect([...seen.keys()].sort((one, other) => one - other)).toEqual(wanted)
    expect([...seen.values()].filter((text) => text.includes('cannot be shown'))).toEqual([])
    return [...seen.values()].join('\n')
  }

  test('The server refuses what the database can contain.', async () => {
    const id = await postMessage(grace, channelId, 'refused')
    for (const content of descriptions) {
      const { status } = await call(grace, 'POST', '/submessage', { message_id: id, msg_type: 'widget', content })
      expect(status, content.slice(0, 80)).toBe(400)
    }
  })

  test('Descriptions of widgets that are not complete leave the texts of their messages.', async () => {
    const text = await showsAll('widgets')
    for (const index of descriptions.keys()) expect(text).toContain(`description ${index}.`)
  })

  test('Odd actions change nothing in a poll and a to-do list.', async () => {
    await openTopic('widgets')
    await page.getByText('After Water the plants.').waitFor()
    const poll = page.getByRole('region', { name: 'Poll' }).last()
    await poll.getByText('Lunch?').waitFor()
    expect(await poll.getByRole('listitem').count()).toBe(1)
    const list = page.getByRole('region', { name: 'To-do list' }).last()
    await list.getByText('Water the plants').waitFor()
    expect(await list.getByRole('checkbox').count()).toBe(2)
    expect(await inspectPage(page, 'hostile-widgets')).toEqual([])
  })

  test('Odd HTML, reactions, names and statuses lose no message.', async () => {
    await showsAll('contents')
    await showsAll('people')
    await page.getByText('With odd reactions.').waitFor()
    await inspectPage(page, 'hostile-people')
  })

  test('Odd topics are listed, and open.', async () => {
    await page.goto(`${pages.url}/#narrow/channel/${channelId}-general`)
    for (const name of names) await page.getByRole('main').getByText(name, { exact: true }).first().waitFor()
    for (const name of names) {
      await page.goto(
        `${pages.url}/#narrow/channel/${channelId}-general/topic/${encodeURIComponent(name).replaceAll('%', '.')}`,
      )
      await page.getByText('In an odd topic.').first().waitFor()
    }
  })

  test('The card shows the other values of a profile with odd values, and its fields can be changed.', async () => {
    await page.goto(`${pages.url}/#user/${grace.user_id}`)
    const card = page.getByRole('dialog', { name: 'Grace' })
    await card.getByText('field 901').waitFor()
    await card.getByText('field 948').waitFor({ state: 'attached' })
    await page.goto(`${pages.url}/#settings/profile`)
    await page.getByRole('dialog').getByLabel('field 901').waitFor()
    await page.keyboard.press('Escape')
  })

  test('The pages reported no problem until then, besides the name and the time that cannot be drawn.', () => {
    expect(pages.problems.filter((problem) => !/UNDRAWABLE|Invalid time value/.test(problem))).toEqual([])
  })

  test('What cannot be drawn is one line, the rest goes on, and its author deletes it.', async () => {
    await openTopic('faults')
    await page.getByText('The last one.').waitFor()
    const [undrawable = 0, timeless = 0] = await ids('faults')
    const first = page.locator(`article[data-id="${undrawable}"]`)
    await first.getByText('This message cannot be shown.').waitFor()
    await first.getByRole('button', { name: 'Ada' }).waitFor()
    const second = page.locator(`article[data-id="${timeless}"]`)
    await second.getByText('This message cannot be shown.').waitFor()
    expect(await inspectPage(page, 'hostile-faults')).toEqual([])
    await second.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await second.waitFor({ state: 'detached' })
    await first.locator('.message-body').hover()
    await first.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await first.waitFor({ state: 'detached' })
    await page.getByText('The last one.').waitFor()
  })

  test('A message that cannot be drawn is drawn after it was edited, for everyone who reads it.', async () => {
    const id = await postMessage(grace, channelId, 'faults', 'UNDRAWABLE again')
    const message = page.locator(`article[data-id="${id}"]`)
    await message.getByText('This message cannot be shown.').waitFor()
    await ok(grace, 'PATCH', `/messages/${id}`, { content: 'Drawable again' })
    await message.getByText('Drawable again').waitFor()
  })

  test('A line that cannot be drawn leaves the other members, the sidebar and the bar.', async () => {
    const members = page.locator('#members')
    await members.getByText('This line cannot be shown.').waitFor()
    await members.getByRole('link', { name: 'Grace', exact: false }).first().waitFor()
    await page.locator('#left-sidebar').getByRole('link', { name: 'general' }).waitFor()
    await expect
      .poll(() => page.locator('#left-sidebar').getByText('Undrawable').count(), { timeout: PATIENCE_MS })
      .toBe(1)
    await page.getByRole('searchbox', { name: 'Search members' }).fill('Ada')
    await members.getByText('This line cannot be shown.').waitFor({ state: 'detached' })
  })
})
