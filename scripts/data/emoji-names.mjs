/**
 * Composes src/domain/data/emoji-names.json: the names of emoji that chat clients send.
 *
 * 1. The names are those of newer clients (the package zulip-emoji-mapping), then those of older ones (zulip-term). For
 *    a name that both have, the code of the newer clients counts.
 * 2. The first name of a row is the canonical one. After it, names that Unicode and gemoji give the emoji are left out.
 *    So is a row of one name, if Unicode gives it too (domain/emoji/unicode-names.ts).
 * 3. The rows are in the order of gemoji. What it does not have comes at the end.
 */
import { readFileSync } from 'node:fs'
import { root } from '../clone/root.mjs'
import { composeDataFile } from './data-file.mjs'
import { askPackage } from './python.mjs'

const NEWER = '1.0.1'
const OLDER = '0.7.0'

/** Lists the emoji of newer clients, as [code, canonical name, ...aliases]. */
const listNewer = () =>
  askPackage(
    `zulip-emoji-mapping==${NEWER}`,
    `
import json
from zulip_emoji_mapping.emoji_names import EMOJI_NAME_MAPS
print(json.dumps([[code, row['canonical_name'], *row['aliases']] for code, row in EMOJI_NAME_MAPS.items()]))`,
  )

/** Lists the emoji of older clients in the same form. Other modules of their package would need further packages. */
const listOlder = () =>
  askPackage(
    `zulip-term==${OLDER}`,
    `
import json, runpy, sys
table = runpy.run_path(sys.argv[1] + '/zulipterminal/unicode_emojis.py')['EMOJI_DATA']
print(json.dumps([[row['code'], name, *row['aliases']] for name, row in table.items()]))`,
  )

/** Names that neither package has. The server has accepted them from the beginning. */
const added = new Map([
  ['231b', ['time_up']],
  ['1f17e', ['blood_type_o']],
])

/** Composes the file. */
export async function composeEmojiNames() {
  // The product computes the names that Unicode and gemoji give: it must be compiled.
  const { registerUnicodeNames } = await import('../../dist/domain/emoji/unicode-names.js')
  const unicode = new Map()
  const unicodeCodes = new Map()
  registerUnicodeNames((code, name) => {
    if (unicodeCodes.has(name)) return
    unicodeCodes.set(name, code)
    append(unicode, code, name)
  })
  const { names, older_codes } = joinNames(listNewer(), listOlder())
  const rows = new Map()
  for (const [code, [canonical, ...others]] of names) {
    const kept = others.filter((name) => unicodeCodes.get(name) !== code)
    if (kept.length > 0 || canonical !== unicode.get(code)?.[0]) rows.set(code, [canonical, ...kept].join(' '))
  }
  // An emoji that gemoji does not know comes after those that it knows.
  const order = [...new Set([...unicodeCodes.values(), ...rows.keys()])]
  return composeDataFile(
    [
      'The names of emoji that chat clients send, where Unicode and gemoji do not have the name or give it to another',
      'emoji, by code: the first name of a row is the canonical one. older_codes are the names that older clients send with',
      'a code whose emoji has another name today. Written by scripts/data/emoji-names.mjs: do not edit.',
    ].join(' '),
    { 'zulip-emoji-mapping': NEWER, 'zulip-term': OLDER, gemoji: readVersion('gemoji') },
    {
      names: order.flatMap((code) => (rows.has(code) ? [[code, rows.get(code)]] : [])),
      older_codes: Object.entries(older_codes),
    },
  )
}

/** Joins the names of each code (1), and finds the names that older clients send with another code. */
function joinNames(newer, older) {
  const names = new Map(newer.map(([code, ...all]) => [code, all]))
  const newerCodes = new Map(newer.flatMap(([code, ...all]) => all.map((name) => [name, code])))
  const older_codes = {}
  for (const [code, ...all] of older) {
    for (const name of all) {
      if (!newerCodes.has(name)) append(names, code, name)
      else if (newerCodes.get(name) !== code) older_codes[name] = code
    }
  }
  for (const [code, all] of added) for (const name of all) append(names, code, name)
  return { names, older_codes }
}

function append(lists, code, name) {
  if (!lists.has(code)) lists.set(code, [])
  if (!lists.get(code).includes(name)) lists.get(code).push(name)
}

const readVersion = (name) => JSON.parse(readFileSync(`${root}node_modules/${name}/package.json`, 'utf8')).version
