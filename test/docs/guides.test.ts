/** The guides of docs/: every command and program in them runs, and every link leads somewhere. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../src/dev/root.js'
import { startGateway } from '../setup/processes/processes.js'
import { newRealm, ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'
import { redPixel, upload } from '../setup/requests/files.js'
import { findBlocks, findForgotten, openGuideRun } from './run-guide.js'

const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))

describe.each(guides)('%s', (name) => {
  const text = readFileSync(join(root, 'docs', name), 'utf8')

  test('Every block of code is run, or a comment says why it is not.', () => {
    expect(findForgotten(findBlocks(text))).toEqual([])
  })

  test('Every link to a file leads to one.', () => {
    const prose = text.replace(/```[\s\S]*?```/g, '')
    const paths = [...prose.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = '']) => join(root, 'docs', path))
    expect(paths.filter((path) => !existsSync(path))).toEqual([])
  })
})

/** An organization that a gateway serves at its own address, as `npm start` does. */
const openDemo = async () => {
  const world = await newRealmWith('Owner', 'Ada')
  await ok(world.owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'general' }] })
  const gateway = await startGateway({ NODE_ENV: 'development', ROOT_REALM: world.realm.host.split('.')[0] as string })
  const demo = { url: gateway.url, users: [{ email: world.owner.email, api_key: world.owner.api_key }] }
  return {
    demo,
    world,
    async [Symbol.asyncDispose]() {
      await gateway.stop()
      await world[Symbol.asyncDispose]()
    },
  }
}

const textsOf = async (by: Person): Promise<string[]> => {
  const page = { anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false }
  return (await ok(by, 'GET', '/messages', page)).messages.map(({ content }) => content)
}

test.each(['first-hour.md', 'write-a-bot.md', 'clients.md', 'event-subscriptions.md'])(
  'The code of %s runs.',
  { timeout: 120_000 },
  async (guide) => {
    await using opened = await openDemo()
    using run = openGuideRun(opened.demo)
    const printed = await run.run(guide)
    const texts = await textsOf(opened.world.owner)
    const wanted = {
      'first-hour.md': ['Hello **world** :tada:', 'News', 'Build 7 is green'],
      'write-a-bot.md': ['@**Dice** please'],
      'clients.md': ['over a long poll', 'over a stream', 'over a WebSocket'],
      'event-subscriptions.md': ['Delivered'],
    }[guide]
    expect(texts).toEqual(expect.arrayContaining(wanted as string[]))
    if (guide === 'event-subscriptions.md') {
      for (const language of ['node', 'python']) expect(printed).toContain(`${language}: Delivered`)
    }
    if (guide === 'first-hour.md') expect(printed).toContain('"type":"message"')
  },
)

test('The script of move-from-zulip.md copies an organization, and continues when it is run again.', {
  timeout: 120_000,
}, async () => {
  await using from = await openDemo()
  await using target = await newRealm()
  const { owner, ada } = from.world
  await ok(ada, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'design', description: 'How it looks' }] })
  await ok(owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'design' }] })
  await upload(owner, '/realm/emoji/chair', { filename: 'chair.png', type: 'image/png', data: redPixel })
  const uploaded = await upload(ada, '/user_uploads', { filename: 'a plan.txt', type: 'text/plain', data: 'Seats: 12' })
  const { url } = JSON.parse(uploaded.text) as { url: string }
  const sent = { type: 'channel', to: 'design', topic: 'logo', content: `The [plan](${url})` }
  const { id } = await ok(ada, 'POST', '/messages', sent)
  await ok(owner, 'POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
  await ok(ada, 'POST', `/messages/${id}/reactions`, { emoji_name: 'chair' })

  const [boss] = (await target.people({ full_name: 'Boss', role: 100 })) as [Person]
  await using gateway = await startGateway({ ROOT_REALM: target.host.split('.')[0] as string })
  using run = openGuideRun()
  const writeZuliprc = (name: string, { email, api_key }: { email: string; api_key: string }, site: string) =>
    writeFileSync(join(run.folder, name), `[api]\nemail=${email}\nkey=${api_key}\nsite=${site}\n`)
  writeZuliprc('from.zuliprc', owner, from.demo.url)
  writeZuliprc('to.zuliprc', boss, gateway.url)

  expect(await run.run('move-from-zulip.md')).toContain('Messages: ')
  const { members } = await ok(boss, 'GET', '/users')
  const moved = members.find(({ full_name }) => full_name === 'Ada')
  const narrow = [
    { operator: 'channel', operand: 'design' },
    { operator: 'topic', operand: 'logo' },
  ]
  const page = { anchor: 'newest', num_before: 10, num_after: 0, narrow, apply_markdown: false }
  const { messages } = await ok(boss, 'GET', '/messages', page)
  expect(messages.map(({ sender_id }) => sender_id)).toEqual([moved?.user_id])
  expect(messages[0]?.content).toMatch(/^<time:20.+>\nThe \[plan\]\(\/user_uploads\/\d+\/.+\/a-?.*plan\.txt\)$/)
  expect(messages[0]?.content).not.toContain(url)
  expect(messages[0]?.reactions.map(({ emoji_name }) => emoji_name).sort()).toEqual(['chair', 'tada'])
  const { stream_id } = await ok(boss, 'GET', '/get_stream_id', { stream: 'design' })
  const { subscribers } = await ok<{ subscribers: number[] }>(boss, 'GET', `/streams/${stream_id}/members`)
  expect(subscribers).toContain(moved?.user_id)

  await ok(ada, 'POST', '/messages', { ...sent, content: 'DatabaseField' })
  await run.run('move-from-zulip.md')
  const again = await ok(boss, 'GET', '/messages', page)
  expect(again.messages.map(({ content }) => content.split('\n').at(-1))).toEqual([
    messages[0]?.content.split('\n').at(-1),
    'DatabaseField',
  ])
})
