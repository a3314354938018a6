/** References in comments: every file, folder, section and rule that a comment names exists. */
import { basename, dirname, posix } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { files, readText, sources } from './sources.js'

/** A comment; comments in lines that follow each other are one. */
interface Comment {
  line: number
  /** in one line, without the stars of a block */
  text: string
}

const joinLines = (text: string): string => text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/|--)?\s*/g, ' ')

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** The parts of a text that match, as comments. */
const matchComments = (text: string, pattern: RegExp): Comment[] =>
  [...text.matchAll(pattern)].map(({ index, 0: found }) => ({ line: lineAt(text, index), text: joinLines(found) }))

const findComments = (file: string, text: string): Comment[] => {
  if (file.endsWith('.sql')) return matchComments(text, /--.*(?:\n\s*--.*)*|\/\*[\s\S]*?\*\//g)
  if (file.endsWith('.css')) return matchComments(text, /\/\*[\s\S]*?\*\//g)
  const groups: { start: number; end: number }[] = []
  for (const { start, end } of parseSync(file, text).comments) {
    const last = groups.at(-1)
    if (last !== undefined && /^\s*$/.test(text.slice(last.end, start))) last.end = end
    else groups.push({ start, end })
  }
  return groups.map(({ start, end }) => ({ line: lineAt(text, start), text: joinLines(text.slice(start, end)) }))
}

const listParents = (path: string): string[] => {
  const parent = dirname(path)
  return parent === '.' ? [] : [parent, ...listParents(parent)]
}

const known = new Set(files)
const folders = new Set(files.flatMap(listParents))
/** The files of each name. */
const named = new Map<string, string[]>()
for (const file of files) named.set(basename(file), [...(named.get(basename(file)) ?? []), file])

/** The programs whose name ends like that of a file. */
const programs = ['uWebSockets.js', 'highlight.js', 'PDF.js']
/** The names of files that released migrations, which never change, know from their time. */
const formerNames: Readonly<Record<string, readonly string[]>> = {
  'src/store/migrations/0002_messages.sql': ['store/messages.ts', 'domain/flags.ts'],
  'src/store/migrations/0006_message_flag_indexes.sql': ['domain/flags.ts'],
  'src/store/migrations/0033_emoji.sql': ['store/files.ts'],
  'src/store/migrations/0040_moved_messages.sql': ['store/moved.ts'],
  'src/store/migrations/0041_search.sql': ['store/search.ts'],
  'src/store/migrations/0050_deleted_messages.sql': ['store/deletion.ts'],
  'src/store/migrations/0056_uploaded_images.sql': ['domain/markdown/render-context.ts'],
  'src/store/migrations/0057_realm_pictures_and_quota.sql': ['domain/realm-pictures.ts'],
  'src/store/migrations/0074_word_buckets.sql': ['store/search.ts'],
  'src/store/migrations/0160_sessions.sql': ['domain/users/sessions.ts'],
}

/**
 * Finds the file that a comment names: a path from the root or from the folder of the comment, the end of a path, or a
 * name that one file has in the folder of the comment, in the root or in the whole repository.
 */
const findNamed = (name: string, file: string): string | undefined => {
  const near = [posix.join(dirname(file), name), name].find((path) => known.has(path))
  if (near !== undefined) return near
  if (name.includes('/')) return files.find((path) => path.endsWith(`/${name}`))
  const found = named.get(name) ?? []
  return found.length === 1 ? found[0] : undefined
}

const fileName = /(?<![\w./<>*@{}$-])(?:\.{1,2}\/)*(?:[\w.-]+\/)*[\w.-]*\w\.(?:tsx?|mts|mjs|js|sql|md|css)(?![\w/-])/g
/** A path that begins with a folder of the root. */
const rootFolders = [...new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0] ?? ''))]
const rootPath = new RegExp(`(?<![\\w./<>*@{}$-])(?:${rootFolders.join('|')})/(?:[\\w.-]+/)*(?:[\\w.-]*\\w)?`, 'g')
/** Builds, installations and tests write what is below. */
const isBuilt = (path: string): boolean => /(^|\/)(dist|node_modules|\.[\w-]+)(\/|$)/.test(path)

/** The documents whose rules have numbers, and the numbers that follow: `protocol/events.md 3.2, 4.6 and 4.10`. */
const citation = /([\w./-]+\.md)(?: sections?)? (\d+(?:\.\d+)*(?:(?:, and |, | and | to )\d+(?:\.\d+)*(?!\w))*)/g
/** `docs/clients.md, "Close codes"` or `docs/clients.md ("Limits")` */
const quotation = /([\w./-]+\.md),? \(?"([^"]+)"/g

const listNumbers = (document: string): Set<string> =>
  new Set([...readText(document).matchAll(/^#{2,4} (\d+(?:\.\d+)*)\.? /gm)].map(([, number = '']) => number))

const findInComment = (file: string, text: string): string[] => {
  const isFormer = (name: string) => formerNames[file]?.includes(name) === true
  const missingFiles = [...text.matchAll(fileName)]
    .map(([name]) => name)
    .filter((name) => !isBuilt(name) && !programs.includes(name) && !isFormer(name))
    .filter((name) => findNamed(name, file) === undefined)
  const missingPaths = [...text.matchAll(rootPath)]
    .map(([path]) => path.replace(/\/$/, ''))
    .filter((path) => !isBuilt(path) && !known.has(path) && !folders.has(path) && !missingFiles.includes(path))
  const missingNumbers = [...text.matchAll(citation)].flatMap(([, name = '', chain = '']) => {
    const document = findNamed(name, file)
    if (document === undefined) return []
    const numbers = listNumbers(document)
    return chain
      .split(/, and |, | and | to /)
      .filter((number) => !numbers.has(number))
      .map((number) => `${name} ${number}`)
  })
  const missingTitles = [...text.matchAll(quotation)].flatMap(([, name = '', title = '']) => {
    const document = findNamed(name, file)
    if (document === undefined || readText(document).toLowerCase().includes(title.toLowerCase())) return []
    return [`${name} "${title}"`]
  })
  return [...missingFiles, ...missingPaths, ...missingNumbers, ...missingTitles]
}

/** The references that lead nowhere, as `file:line reference`. */
const findBroken = (file: string, text: string): string[] =>
  findComments(file, text).flatMap((comment) => {
    const withoutAddresses = comment.text.replace(/\w+:\/\/\S+/g, ' ')
    return findInComment(file, withoutAddresses).map((reference) => `${file}:${comment.line} ${reference}`)
  })

test('Every file, folder, section and rule that a comment names exists.', () => {
  const read = [...sources, ...files.filter((file) => /\.(sql|css)$/.test(file))]
  expect(read.flatMap((file) => findBroken(file, readText(file)))).toEqual([])
})

test.each([
  ['a file', '/** As no-such-file.ts says. */', 'no-such-file.ts'],
  ['a path', '// See domain/log/no-such-file.ts.', 'domain/log/no-such-file.ts'],
  ['a name that several files have', '/** Only index.ts exports it. */', 'index.ts'],
  ['a folder', '/**\n * The tests are in test/no-such-folder.\n */', 'test/no-such-folder'],
  ['a document', '/** The operator decides (docs/no-such-page.md). */', 'docs/no-such-page.md'],
  ['a title', '/** The limits (docs/clients.md, "No such title"). */', 'docs/clients.md "No such title"'],
  ['a rule', '// Source: protocol/events.md 3.2,\n// 3.3 and 99.1.', 'protocol/events.md 99.1'],
])('The search for broken references finds %s that does not exist.', (_, comment, reference) => {
  expect(findBroken('src/domain/log/entry.ts', `const text = 'no-such-text.ts'\n${comment}\n`)).toEqual([
    `src/domain/log/entry.ts:2 ${reference}`,
  ])
})

test('The search for broken references accepts files, folders, addresses, patterns and rules.', () => {
  const text = `/**
 * rows.ts, ./rows.ts, domain/log/state.ts, README.md, docs/clients.md ("Limits"), *.bench.ts, src/<layer>/<name>.ts,
 * src/domain/, node dist/cli.js, https://example.org/docs/page.md, protocol/events.md 3.2,
 * 3.3 and 4, and the library uWebSockets.js
 */
`
  expect(findBroken('src/domain/log/entry.ts', text)).toEqual([])
})

test('The names that released migrations know are in their comments.', () => {
  const unused = Object.entries(formerNames).flatMap(([file, former]) =>
    former.filter((name) => !readText(file).includes(name)).map((name) => `${file} ${name}`),
  )
  expect(unused).toEqual([])
})
