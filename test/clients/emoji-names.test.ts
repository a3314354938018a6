/**
 * The emoji that existing clients know, from the tables in Python packages: zulip-term has the names of older clients,
 * and zulip-emoji-mapping those of newer ones. The server accepts every name, with its code and without.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emojiNames, findEmojiCode, olderEmojiCodes } from '../../src/domain/emoji/emoji-table.js'
import { checkEmoji, resolveEmoji } from '../../src/domain/messages/chosen-emoji.js'
import { newRealm, ok, type Person } from '../setup/realm/realm.js'
import { StateBuilder } from '../setup/realm/state-builder.js'
import { fetchFile } from '../setup/requests/files.js'
import { findPython } from './python.js'

/** An emoji of a client: its code, and its names with the canonical one first. */
type KnownEmoji = [code: string, ...names: string[]]

const TABLES = [
  {
    program: 'zulip-term',
    packages: ['zulip-term==0.7.0'],
    options: ['--ignore-requires-python'],
    script: `
from zulipterminal.unicode_emojis import EMOJI_DATA
table = [[row['code'], name, *row['aliases']] for name, row in EMOJI_DATA.items()]`,
    names: 1_579,
  },
  {
    program: 'zulip-emoji-mapping',
    packages: ['zulip-emoji-mapping==1.0.1'],
    options: ['--no-deps'],
    script: `
from zulip_emoji_mapping.emoji_names import EMOJI_NAME_MAPS
table = [[code, row['canonical_name'], *row['aliases']] for code, row in EMOJI_NAME_MAPS.items()]`,
    names: 2_960,
  },
]

const loadTables = () =>
  Promise.all(
    TABLES.map(async ({ program, packages, options, script, names }) => {
      const { bin, missing } = await findPython(packages, options)
      const title = missing === undefined ? program : `${program} (skipped: ${missing})`
      const read = (): KnownEmoji[] => {
        const code = `import json\n${script}\nprint(json.dumps(table))`
        return JSON.parse(execFileSync(join(bin, 'python'), ['-c', code], { encoding: 'utf8', maxBuffer: 2 ** 24 }))
      }
      return { title, missing, read, names }
    }),
  )

const pairs = (table: readonly KnownEmoji[]) =>
  table.flatMap(([code, ...names]) => names.map((name): [name: string, code: string] => [name, code]))

/** Whether the newer table gives the name to another emoji. */
const isOlder = (name: string, code: string) => olderEmojiCodes[name] === code

describe.each(await loadTables())('The emoji of $title', ({ missing, read, names }) => {
  test.skipIf(missing)('A reaction or a status accepts every name, and every name with its code.', () => {
    const { state } = new StateBuilder()
    const known = pairs(read())
    expect(known).toHaveLength(names)
    const refused = known.filter(([emoji_name, emoji_code]) => {
      try {
        checkEmoji(state, resolveEmoji(state, { emoji_name }))
        checkEmoji(state, resolveEmoji(state, { emoji_name, emoji_code }))
        checkEmoji(state, { emoji_name, emoji_code, reaction_type: 'unicode_emoji' })
        return false
      } catch {
        return true
      }
    })
    expect(refused).toEqual([])
  })

  test.skipIf(missing)('Every name means the same emoji, and every emoji has the same canonical name.', () => {
    const table = read()
    expect(pairs(table).filter(([name, code]) => findEmojiCode(name) !== code && !isOlder(name, code))).toEqual([])
    expect(table.filter(([code, name = '']) => emojiNames(code)[0] !== name && !isOlder(name, code))).toEqual([])
  })

  test.skipIf(missing)('A message shows every name as an emoji, and the emoji data contain it.', async () => {
    await using realm = await newRealm()
    const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
    const known = pairs(read())
    const shown = new Map<string, string>()
    for (let at = 0; at < known.length; at += 300) {
      const content = known
        .slice(at, at + 300)
        .map(([name]) => `:${name}:`)
        .join(' ')
      const { rendered } = await ok(ada, 'POST', '/messages/render', { content })
      for (const [, code = '', name = ''] of rendered.matchAll(/emoji-([0-9a-f-]+)"[^>]*>:([^:]+):</g)) {
        shown.set(name, code)
      }
    }
    expect(known.filter(([name, code]) => shown.get(name) !== code && !isOlder(name, code))).toEqual([])
    const { server_emoji_data_url } = await ok(ada, 'POST', '/register', { fetch_event_types: ['realm'] })
    const { json } = await fetchFile(ada.host, new URL(server_emoji_data_url as string).pathname)
    const code_to_names = json.code_to_names as Record<string, string[]>
    expect(known.filter(([name, code]) => !code_to_names[code]?.includes(name) && !isOlder(name, code))).toEqual([])
  })
})

test('A typed keycap is shown under its name.', async () => {
  await using realm = await newRealm()
  const [ada] = (await realm.people({ full_name: 'Ada' })) as [Person]
  const { rendered } = await ok(ada, 'POST', '/messages/render', { content: '1️⃣ #️⃣ *️⃣ 🇲🇺' })
  expect([...rendered.matchAll(/>:([^:]+):</g)].map(([, name]) => name)).toEqual([
    'one',
    'hash',
    'asterisk',
    'flag_mauritius',
  ])
})
