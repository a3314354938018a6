/**
 * zulip-terminal from the package registry, unmodified and configured with a zuliprc only, in a terminal: the tests
 * press Ada's keys and read her screen, while Grace and Linus call the API.
 *
 * The tests share one session and run in order. captures/ holds screens of such a session (CAPTURES=write updates
 * them). SOAK_SECONDS is the duration of the test that replaces gateways.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startGateway, type TestProcess } from '../setup/processes/processes.js'
import { call, newRealm, ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { type Balancer, startBalancer } from './balancer.js'
import { pause } from './pause.js'
import { findPython } from './python.js'
import { missingTerminal, openScreen, type Screen } from './screen.js'
import { newFolder, writeZuliprc } from './zuliprc.js'

const noScreen = missingTerminal()
// Its metadata exclude newer versions of Python, but it works with them.
const found = () => findPython(['zulip-term==0.7.0'], ['--ignore-requires-python'])
const python = noScreen === undefined ? await found() : { bin: '', missing: noScreen }
/** Why this Python cannot run the program; undefined if it can. */
const findObstacle = (): string | undefined => {
  const { status, stderr } = spawnSync(join(python.bin, 'zulip-term'), ['--version'], { encoding: 'utf8' })
  return status === 0 ? undefined : `it does not run: ${stderr?.trim().split('\n').at(-1)}`
}
const missing = python.missing ?? findObstacle()
const because = missing === undefined ? '' : ` (skipped: ${missing})`
/** Messages the screen may lag behind before it is redrawn: fewer than a screen shows, so that none is missed. */
const BEHIND = 20
const SOAK_SECONDS = Number(process.env.SOAK_SECONDS ?? 12)

describe.skipIf(missing)(`zulip-terminal${because}`, { timeout: 60_000 }, () => {
  const folder = newFolder()
  let realm: TestRealm
  let fleet: TestProcess[]
  let address: Balancer
  let ada: Person
  let grace: Person
  let linus: Person
  let screen: Screen

  const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 15_000 })
  const say = async (from: Person, to: string, topic: string, content: string): Promise<number> =>
    (await ok(from, 'POST', '/messages', { type: 'channel', to, topic, content })).id
  const tell = async (from: Person, to: Person[], content: string): Promise<number> => {
    const people = to.map(({ user_id }) => user_id)
    return (await ok(from, 'POST', '/messages', { type: 'direct', to: people, content })).id
  }
  /** The newest message that Ada can see, of one channel or topic if it is named. */
  const newest = async (channel?: string, topic?: string) => {
    const narrow = [
      ...(channel === undefined ? [] : [{ operator: 'channel', operand: channel }]),
      ...(topic === undefined ? [] : [{ operator: 'topic', operand: topic }]),
    ]
    const page = { anchor: 'newest', num_before: 1, narrow, apply_markdown: false }
    return (await ok(ada, 'GET', '/messages', page)).messages[0]
  }
  /** Closes every dialog and opens the view of all messages. */
  const home = async () => {
    await screen.keys('Escape', 'Escape', 'Right', 'a')
    await screen.shows('All messages  Search')
  }
  /** Opens a topic through the compose box, without sending a message. */
  const openTopic = async (channel: string, topic: string) => {
    await home()
    await screen.keys('c')
    await screen.type(channel)
    await screen.keys('Tab')
    await screen.type(topic)
    await screen.keys('M-.')
    await screen.shows(`${channel}: topic narrow`)
    await screen.keys('Escape', 'G')
  }

  beforeAll(async () => {
    realm = await newRealm()
    const names = ['Ada Lovelace', 'Grace Hopper', 'Linus Pauling'].map((full_name) => ({ full_name }))
    ;[ada, grace, linus] = (await realm.people(...names)) as [Person, Person, Person]
    const everybody = [ada, grace, linus].map(({ user_id }) => user_id)
    const channel = async (name: string, principals: number[], more: object = {}) => {
      const subscriptions = [{ name, description: `About ${name}` }]
      await ok(grace, 'POST', '/users/me/subscriptions', { subscriptions, principals, ...more })
    }
    await channel('design', everybody)
    await channel('leads', [ada.user_id, grace.user_id], { invite_only: true })
    await channel('noise', everybody)
    await channel('secret', [grace.user_id], { invite_only: true })
    // The notices in the channels and those about the subscriptions must not count as unread.
    const openJobs = () => realm.sql`select from jobs where realm_id = ${realm.realm_id} and done_at is null`
    while ((await openJobs()).length > 0) await pause(100)
    await ok(ada, 'POST', '/mark_all_as_read')
    const first = await say(grace, 'design', 'logo', 'The **first** draft of the logo')
    await ok(linus, 'POST', `/messages/${first}/reactions`, { emoji_name: 'tada' })
    await say(linus, 'design', 'logo', '@**Ada Lovelace** do you like it?')
    await say(grace, 'design', 'colours', 'Which blue, then?\n```python\nprint("#0000ff")\n```')
    await say(grace, 'leads', 'plans', 'For the leads alone')
    await say(linus, 'noise', 'chatter', 'la la la')
    await tell(grace, [ada, linus], 'The three of us at ten?')
    await tell(grace, [ada], 'Lunch, the two of us?')
    await ok(grace, 'POST', '/users/me/presence', { status: 'active', new_user_input: true })

    fleet = [await startGateway(), await startGateway()]
    address = await startBalancer(
      realm.host,
      fleet.map(({ url }) => url),
    )
    screen = await openScreen(`${join(python.bin, 'zulip-term')} -c ${writeZuliprc(ada, address.url)}`, {
      cwd: folder,
      env: { HOME: folder },
      blur: [
        [new RegExp(address.url, 'g'), 'http://chat.example.com'],
        [/Test t\w+/g, 'Example'],
        [/\w{3} \w{3} \d\d( 20\d\d)? \d\d:\d\d [AP]M/g, 'Sat Nov 21$1 09:00 AM'],
        [/\w{3} \w{3} \d\d( 20\d\d)? \d\d:\d\d:\d\d [AP]M/g, 'Sat Nov 21$1 09:00:00 AM'],
        [/Loading [-|/\\]/, 'Loading'],
        [/Help\(\?\):.*/, 'Help(?):'],
      ],
    })
  })

  afterEach(() => {
    // The program writes its exceptions to these files and continues.
    for (const name of ['zulip-terminal-tracebacks.log', 'zulip-terminal-thread-exceptions.log']) {
      const file = join(folder, name)
      expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe('')
    }
  })

  afterAll(async () => {
    await screen?.[Symbol.asyncDispose]()
    await address?.[Symbol.asyncDispose]()
    await Promise.all((fleet ?? []).map((gateway) => gateway.stop()))
    await realm?.[Symbol.asyncDispose]()
  })

  test('The first screen shows channels, users and unread counts.', async () => {
    const wanted = [
      ...[/All messages +\[a\] +\d/, /# design +[23]/, /P leads +1/, /# noise +1/, /Mentions +\[#\] +1/],
      ...[/Private messages \[P\] +2/, `Ada Lovelace (${ada.email})`, '● Ada Lovelac', '● Grace Hopper'],
    ]
    for (const what of wanted) await screen.shows(what)
    expect(await screen.text()).not.toContain('secret')
    await screen.keep('start')
  })

  test('Messages appear with their formatting and the names of users who reacted.', async () => {
    await screen.keys('Right')
    const wanted = [
      ...['The first draft of the logo', ':tada: Linus Pauling', '@Ada Lovelace do you like it?', 'print("#0000ff")'],
      'You and Grace Hopper, Linus Pauling',
    ]
    for (const what of wanted) await screen.shows(what)
    await screen.keep('messages')
  })

  test('Opening a topic marks its messages as read.', async () => {
    await screen.keys('q')
    await screen.type('design')
    await screen.keys('Enter', 't')
    await screen.shows('━ Topics ━')
    await screen.keys('q')
    await screen.type('colours')
    await screen.keys('Enter', 'Enter')
    await screen.shows('design: topic narrow')
    await screen.shows('Which blue, then?')
    await screen.becomes((text) => !/colours +\d/.test(text), 'a topic without a number')
    await screen.keep('topic')
    await screen.keys('Left', 't')
    await screen.shows('━ Streams ━')
    await openTopic('design', 'logo')
    const seen = await screen.becomes((text) => !/# design +\d/.test(text), 'a channel without a number')
    expect(seen).toMatch(/# design\s/)
    await eventually(async () => (await newest('design'))?.flags).toContain('read')
  })

  test('Ada sends channel messages, replies and direct messages.', async () => {
    await home()
    await screen.keys('c')
    await screen.type('design')
    await screen.keys('Tab')
    await screen.type('terminal')
    await screen.keys('Tab')
    await screen.type('Written in a *terminal*')
    await screen.keys('C-d')
    await eventually(() => newest()).toMatchObject({ subject: 'terminal', content: 'Written in a *terminal*' })
    expect(await newest()).toMatchObject({ client: 'ZulipTerminal', flags: ['read'] })

    await openTopic('design', 'terminal')
    await screen.keys('r')
    await screen.type('And a reply')
    await screen.keys('C-d')
    await eventually(() => newest()).toMatchObject({ subject: 'terminal', content: 'And a reply' })
    await screen.keys('Escape')
    await screen.shows('And a reply')
    await screen.keep('sent')

    await screen.keys('x')
    await screen.type('Grace')
    await screen.keys('C-f')
    await screen.shows(`Grace Hopper <${grace.email}>`)
    await screen.keys('Tab')
    await screen.type('Yes, at twelve')
    await screen.keys('C-d')
    await eventually(() => newest()).toMatchObject({ content: 'Yes, at twelve' })
    await screen.keys('Escape', 'P', 'G')
    expect(await screen.shows('Yes, at twelve')).toContain('Lunch, the two of us?')
    await screen.keep('direct')
  })

  test('Ada edits the content and the topic of her message.', async () => {
    await openTopic('design', 'terminal')
    await screen.keys('e', 'End')
    await screen.type(', edited')
    await screen.keys('C-d')
    await screen.shows(/EDITED ▒ And a reply, edited/)
    await eventually(() => newest('design')).toMatchObject({ subject: 'terminal', content: 'And a reply, edited' })
    await screen.keys('e', 'Tab', 'End')
    await screen.type(' talk')
    await screen.keys('C-d')
    await eventually(() => newest('design')).toMatchObject({ subject: 'terminal talk' })
    await screen.hides('And a reply, edited')
    await screen.keep('edited')
  })

  test('The message information shows sender, time and edit history.', async () => {
    await openTopic('design', 'terminal talk')
    // One line above the notice about the move.
    await screen.keys('k', 'i')
    await screen.shows('Message Information')
    await screen.shows("Sender's Email ID")
    await screen.keep('information')
    await screen.keys('e')
    await screen.shows('(Original Version)')
    await screen.shows('Content edited by Ada Lovelace')
    await screen.keep('history')
    await screen.keys('e', 'r')
    await screen.shows('Full raw message')
    await screen.keys('r', 'Escape')
  })

  test('Ada adds and removes reactions.', async () => {
    await openTopic('design', 'logo')
    await screen.keys('+')
    await screen.shows(':thumbs_up: You')
    await screen.keys(':')
    await screen.shows('Add/Remove Emojis')
    await screen.type('rocket')
    await screen.keys('Enter', 'Enter', 'Escape')
    await screen.shows(':rocket: You')
    await screen.keep('reactions')
    await screen.keys('+')
    await screen.hides(':thumbs_up: You')
    await eventually(async () => (await newest('design', 'logo'))?.reactions).toMatchObject([{ emoji_name: 'rocket' }])
  })

  test('Ada stars a message and finds it in the starred messages.', async () => {
    await openTopic('design', 'logo')
    await screen.keys('*')
    await screen.shows(/Starred messages \[f\] +1/)
    await screen.keys('f')
    await screen.shows('do you like it?')
    await screen.keep('starred')
    await screen.keys('*')
    await screen.becomes((text) => !/Starred messages \[f\] +1/.test(text), 'no star')
  })

  test('Ada finds her mentions and searches for words.', async () => {
    await home()
    await screen.keys('#')
    await screen.shows('@Ada Lovelace do you like it?')
    await home()
    await screen.keys('/')
    await screen.type('blue')
    await screen.keys('Enter')
    await screen.shows('Search Results')
    await screen.shows('Which blue, then?')
    await screen.hides('do you like it?')
    await screen.keep('search')
  })

  test('A muted channel has no unread count.', async () => {
    await home()
    await screen.keys('q')
    await screen.type('noise')
    await screen.keys('Enter', 'm')
    await screen.shows('Confirm')
    await screen.keys('Left', 'Enter')
    await screen.shows(/# noise +M/)
    await screen.keep('muted')
    await screen.keys('m')
    await screen.shows('Confirm')
    await screen.keys('Left', 'Enter')
    await screen.hides(/# noise +M/)
  })

  test('Typing notifications arrive in both directions.', async () => {
    await home()
    await screen.keys('w')
    await screen.type('grace')
    await screen.keys('Enter', 'Enter')
    await screen.shows('Private conversation')
    await ok(grace, 'POST', '/typing', { op: 'start', to: [ada.user_id] })
    await screen.shows(/Grace Hopper +is typing/)
    await screen.keep('typing')
    await ok(grace, 'POST', '/typing', { op: 'stop', to: [ada.user_id] })
    await screen.hides('is typing')

    const registered = { event_types: ['typing'], fetch_event_types: [] }
    const queue = await ok(grace, 'POST', '/register', registered)
    await screen.keys('r')
    await screen.type('hm')
    const { events } = await ok(grace, 'GET', '/events', queue)
    expect(events[0]).toMatchObject({ type: 'typing', op: 'start', sender: { user_id: ada.user_id } })
    await screen.keys('Escape')
  })

  test('The program reports Ada as active.', async () => {
    const { presence } = await ok(grace, 'GET', `/users/${ada.user_id}/presence`)
    expect(presence.aggregated?.status).toBe('active')
  })

  test('The screen follows messages that other users send, edit, react to, move and delete.', async () => {
    await openTopic('design', 'logo')
    const id = await say(grace, 'design', 'logo', 'A second drfat')
    await screen.shows('A second drfat')
    await ok(grace, 'PATCH', `/messages/${id}`, { content: 'A second draft' })
    await screen.shows('A second draft')
    await ok(linus, 'POST', `/messages/${id}/reactions`, { emoji_name: 'heart' })
    await screen.shows(':heart: Linus Pauling')
    await ok(linus, 'DELETE', `/messages/${id}/reactions`, { emoji_name: 'heart' })
    await screen.hides(':heart: Linus Pauling')
    await screen.keep('live')
    await ok(grace, 'PATCH', `/messages/${id}`, { topic: 'drafts', propagate_mode: 'change_one' })
    await screen.hides('A second draft')
    // The program ignores deletions. It must continue after one.
    const gone = await say(grace, 'design', 'logo', 'Never mind')
    await screen.shows('Never mind')
    expect(await call(grace, 'DELETE', `/messages/${gone}`)).toMatchObject({ status: 200 })
    await say(linus, 'design', 'logo', 'Whatever it was')
    await screen.shows('Whatever it was')
  })

  test('The list of subscribers is right after a user left and joined the channel again.', async () => {
    const subscriptions = ['noise']
    await ok(linus, 'DELETE', '/users/me/subscriptions', { subscriptions })
    await ok(linus, 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'noise' }] })
    await home()
    await screen.keys('q')
    await screen.type('noise')
    await screen.keys('Enter', 'i')
    await screen.shows(/Stream Members +3/)
    await screen.keep('channel')
    await screen.keys('Escape')
  })

  test('The screen shows every message while one gateway is killed and another is restarted.', {
    timeout: (SOAK_SECONDS + 90) * 1_000,
  }, async () => {
    await say(grace, 'design', 'count', 'number 0')
    await openTopic('design', 'count')
    const seen = new Set<number>()
    const look = async () => {
      const before = seen.size
      for (const [, number] of (await screen.text()).matchAll(/▒ number (\d+)/g)) seen.add(Number(number))
      return seen.size > before
    }
    /** Redraws the screen, because the program does not draw every message that it receives (see screen.ts). */
    const lookAgain = async () => {
      await screen.redraw()
      await screen.keys('G')
      return look()
    }
    const [first, second] = fleet as [TestProcess, TestProcess]
    const ends = Date.now() + SOAK_SECONDS * 1_000
    const kills = Date.now() + SOAK_SECONDS * 300
    const restarts = Date.now() + SOAK_SECONDS * 600
    let last = 0
    let stage = 0
    while (Date.now() < ends) {
      last += 1
      await say(grace, 'design', 'count', `number ${last}`)
      if (stage === 0 && Date.now() > kills) {
        stage = 1
        first.signal('SIGKILL')
        await first.ended
        fleet[0] = await startGateway()
        address.setGateways(fleet.map(({ url }) => url))
      }
      if (stage === 1 && Date.now() > restarts) {
        stage = 2
        await second.stop()
        fleet[1] = await startGateway()
        address.setGateways(fleet.map(({ url }) => url))
      }
      await pause(300)
      await screen.keys('G')
      await look()
      if (last - Math.max(...seen) > BEHIND) await lookAgain()
    }
    await say(grace, 'design', 'count', 'the end')
    await pause(300)
    await screen.keys('G')
    for (let tries = 0; tries < 20 && !(await screen.text()).includes('the end'); tries++) await lookAgain()
    await screen.shows('the end')
    await screen.keep('restart')
    // Read all pages backwards.
    for (let page = 0; !seen.has(0) || seen.size <= last; page++) {
      if (!(await look()) && page % 10 === 9) await screen.redraw()
      if (page > last) break
      await screen.keys('PageUp')
    }
    const missed = Array.from({ length: last + 1 }, (_, number) => number).filter((number) => !seen.has(number))
    expect(missed).toEqual([])
  })

  test('The program ends when Ada quits.', async () => {
    await home()
    await screen.keys('C-c')
    await screen.shows('THE PROGRAM ENDED')
    await screen.keep('end')
  })
})
