/** The documents at the root and in docs/: what they name exists, and the invariants can be cited by number. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../src/dev/root.js'

const atRoot = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']
const inDocs = ['docs', 'docs/decisions', 'docs/protocol'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`),
)

const read = (page: string): string => readFileSync(join(root, page), 'utf8').replace(/```[\s\S]*?```/g, '')

/** What programs write, which a clone does not have at first. */
const isWritten = (path: string): boolean => /(^|\/)(dist|release|node_modules|\.\w+)\//.test(`${path}/`)

/** A path may be written without `src/`, and a test without the end of its name. */
const isThere = (path: string): boolean =>
  [path, `${path}.test.ts`, `src/${path}`, `src/${path}.ts`, `test/${path}.test.ts`].some((one) =>
    existsSync(join(root, one)),
  )

const folders = readdirSync(join(root, 'src')).filter((name) => !name.includes('.'))
const packages = ['src', 'rules', 'test', 'client', 'web', 'bench', 'docs', 'scripts', 'deploy', 'console', 'reference']
/** A path in code: it begins with a folder of the root or of src/, and has no placeholder. */
const pathInCode = new RegExp(`\`((?:${[...packages, ...folders].join('|')})/[\\w./-]*)\``, 'g')

/** The files and folders that a page names in code, and that do not exist. */
const findMissingPaths = (text: string): string[] =>
  [...text.matchAll(pathInCode)].map(([, path = '']) => path).filter((path) => !isWritten(path) && !isThere(path))

/** The heading of a section as it is in an address. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** The links of a page that lead to no file, or to no heading of a page. Code shows how links are written. */
const findBrokenLinks = (page: string, text: string): string[] =>
  [...text.replaceAll(/`[^`\n]*`/g, '').matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].flatMap(
    ([link, path = '', heading]) => {
      const target = path === '' ? page : normalize(join(dirname(page), path))
      if (!existsSync(join(root, target))) return [link]
      if (heading === undefined || !target.endsWith('.md')) return []
      const headings = [...read(target).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => slugOf(title))
      return headings.includes(heading) ? [] : [link]
    },
  )

describe.each([...atRoot, ...inDocs])('%s', (page) => {
  test('Every link leads to a file, and to a heading of it.', () => {
    expect(findBrokenLinks(page, read(page))).toEqual([])
  })

  test('Every file and folder that it names exists.', () => {
    expect(findMissingPaths(read(page))).toEqual([])
  })
})

test('The search finds a missing file and a broken link.', () => {
  expect(findMissingPaths('`src/domain/no-such-file.ts`, `domain/log/entry.ts`, `dist/gateway.js`')).toEqual([
    'src/domain/no-such-file.ts',
  ])
  const text = '[a](docs/README.md) [b](docs/none.md) [c](docs/README.md#guides) [d](docs/README.md#none)'
  expect(findBrokenLinks('README.md', text)).toEqual(['](docs/none.md)', '](docs/README.md#none)'])
})

test('Each invariant has a number of its own.', () => {
  const numbers = [...read('docs/invariants.md').matchAll(/^\| (\d+) \|/gm)].map(([, number]) => Number(number))
  expect(numbers.length).toBeGreaterThan(50)
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('README.md and ARCHITECTURE.md stay short enough to be read at once.', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8').split('\n').length).toBeLessThanOrEqual(70)
  expect(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').split('\n').length).toBeLessThanOrEqual(140)
})
