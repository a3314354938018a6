/**
 * The Python bindings and their programs, unmodified and configured with a zuliprc only.
 *
 * every_method.py calls the methods and checks their answers. If an existing client fails, the server is wrong.
 */
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gateways, newRealm, ok, type Person } from '../setup/realm/realm.js'
import { startBalancer } from './balancer.js'
import { type Ended, findPython, runProgram } from './python.js'
import { createPythonAccounts } from './python-accounts.js'
import { newFolder } from './zuliprc.js'

const python = await findPython()
const because = python.missing === undefined ? '' : ` (skipped: ${python.missing})`
const program = (name: string): string => join(python.bin, name)

/** The output of a program. Fails with that output unless the program ended with status 0. */
const succeeded = ({ status, out }: Ended): string => {
  expect(status, out).toBe(0)
  return out
}

/** The newest message that a user can read. */
const newest = async (by: Person) => {
  const page = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false }
  const { messages } = await ok(by, 'GET', '/messages', page)
  return messages.at(-1)
}

describe.skipIf(python.missing)(`The Python bindings${because}`, () => {
  test('Every method of the bindings works.', { timeout: 120_000 }, async () => {
    await using realm = await newRealm()
    await using address = await startBalancer(realm.host, gateways())
    const { env } = await createPythonAccounts(realm, address.url)
    const script = join(import.meta.dirname, 'every_method.py')
    expect(succeeded(await runProgram(program('python'), [script], env))).toContain('OK')
  })

  test('zulip-send sends channel messages and direct messages.', { timeout: 60_000 }, async () => {
    await using realm = await newRealm()
    await using address = await startBalancer(realm.host, gateways())
    const { ada, bob, env } = await createPythonAccounts(realm, address.url)
    const send = (args: string[], input?: string) =>
      runProgram(program('zulip-send'), ['--config-file', env.OWNER_RC, ...args], {}, input)

    succeeded(await send(['--stream', 'Denmark', '--subject', 'castle', '-m', 'Something is rotten']))
    expect(await newest(bob)).toMatchObject({
      subject: 'castle',
      content: 'Something is rotten',
      sender_id: ada.user_id,
    })
    succeeded(await send([bob.email], 'from a pipe\n'))
    expect(await newest(bob)).toMatchObject({ type: 'private', content: 'from a pipe', client: 'ZulipPython' })
    const key = ['--user', ada.email, '--api-key', ada.api_key, '--site', address.url]
    succeeded(await runProgram(program('zulip-send'), [...key, bob.email, '-m', 'without a file']))
    expect(await newest(bob)).toMatchObject({ content: 'without a file' })

    const refused = await send(['--stream', 'Atlantis', '--subject', 'x', '-m', 'x'])
    expect(refused.status).toBe(1)
    expect(refused.out).toContain('There is no channel named “Atlantis”.')
  })

  test('The commands of zulip-api work.', { timeout: 60_000 }, async () => {
    await using realm = await newRealm()
    await using address = await startBalancer(realm.host, gateways())
    const { bob, env } = await createPythonAccounts(realm, address.url)
    const HOME = dirname(env.OWNER_RC)
    const api = async (...args: string[]) => succeeded(await runProgram(program('zulip-api'), args, { HOME }))

    await api('send-message', '--stream', 'Denmark', '--subject', 'castle', '-m', 'first')
    const id = String((await newest(bob))?.id)
    await api('update-message', id, '-m', 'second')
    expect(await newest(bob)).toMatchObject({ content: 'second' })
    expect(await api('get-message-history', id)).toContain("'prev_content': 'first'")
    await api('add-reaction', id, 'tada')
    expect(await newest(bob)).toMatchObject({ reactions: [{ emoji_name: 'tada' }] })
    await api('remove-reaction', id, 'tada')
    expect(await newest(bob)).toMatchObject({ reactions: [] })
    expect(await api('get-subscriptions')).toContain('Denmark')
    await api('mark-all-as-read')
    await api('delete-message', id)
    expect(await newest(bob)).toBeUndefined()
  })

  test('All examples of the package work.', { timeout: 120_000 }, async () => {
    await using realm = await newRealm()
    await using address = await startBalancer(realm.host, gateways())
    const { ada, bob, env } = await createPythonAccounts(realm, address.url)
    const folder = succeeded(await runProgram(program('zulip-api-examples'), [])).trim()
    const said = { type: 'stream', to: 'Denmark', topic: 'castle', content: 'hello' }
    const { id } = await ok(ada, 'POST', '/messages', said)
    const { stream_id } = await ok(ada, 'GET', '/get_stream_id', { stream: 'Denmark' })
    await ok(bob, 'POST', '/users/me/presence', { status: 'active' })
    const history = join(newFolder(), 'history.json')

    /** Arguments and expected output, in order of execution: the last examples delete what the others need. */
    const examples: [name: string, args: string[], shown: string | RegExp][] = [
      ['alert-words', ['add', 'foo', 'bar'], /'alert_words': \['(foo|bar)', '(foo|bar)'\]/],
      ['create-user', userArguments, "'user_id'"],
      ['edit-message', ['--message-id', `${id}`, '--subject', 'keep', '--content', 'edited'], "'success'"],
      [
        'edit-stream',
        [
          '--stream-id',
          `${stream_id}`,
          '--history-public-to-subscribers',
          '--description',
          'x',
          '--new-name',
          'Norway',
        ],
        "'success'",
      ],
      ['get-history', ['--stream', '"Norway"', '--filename', history], /Writing [1-9]\d* messages/],
      ['get-messages', ['--num-before', '5', '--num-after', '0', '--use-first-unread-anchor'], "'content': 'edited'"],
      ['get-public-streams', [], 'Norway'],
      ['get-raw-message', [`${id}`], "'raw_content': 'edited'"],
      ['get-stream-topics', ['--stream-id', `${stream_id}`], "'name': 'keep'"],
      ['get-subscriptions', [], 'Norway'],
      ['get-user-presence', ['--email', bob.email], "'status': 'active'"],
      ['list-users', [], `Bob ${bob.email}`],
      ['message-history', [`${id}`], "'prev_content': 'hello'"],
      ['mute-topic', ['mute', '"Norway"', 'dinner'], "'success'"],
      ['realm-emoji', [], "'emoji': {"],
      ['send-message', [bob.email, '--message', 'test message'], "'success'"],
      ['subscribe', ['--streams', 'foo bar'], "['foo', 'bar']"],
      ['unsubscribe', ['--streams', 'foo'], "'removed': ['foo']"],
      ['update-message-flags', ['add', 'starred', `${id}`], `'messages': [${id}]`],
      ['upload-file', ['--file-path', import.meta.filename], `File URI: /user_uploads/`],
      ['delete-message', [`${id}`], "'success'"],
      ['delete-stream', [`${stream_id}`], "'success'"],
    ]
    for (const [name, args, shown] of examples) {
      const out = succeeded(
        await runProgram(program('python'), [join(folder, name), '--config-file', env.OWNER_RC, ...args]),
      )
      if (typeof shown === 'string') expect(out, name).toContain(shown)
      else expect(out, name).toMatch(shown)
    }
    // The examples that never end do the same as follow.py. The last one reads a field that the protocol no longer has.
    const endless = ['print-events', 'print-messages', 'welcome-message']
    const all = readdirSync(folder).filter((name) => name !== 'zuliprc' && !name.startsWith('_'))
    expect(
      examples
        .map(([name]) => name)
        .concat(endless)
        .sort(),
    ).toEqual(all.map((name) => basename(name)).sort())
  })
})

const userArguments = [
  ['--new-email', 'jarthur@example.com'],
  ['--new-password', 'random 17 horses in a row'],
  ['--new-full-name', 'J. Arthur Random'],
  ['--new-short-name', 'jarthur'],
].flat()
