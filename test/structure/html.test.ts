/** The compiler refuses text where HTML is expected; so only these files can make HTML of text that is not encoded. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../../src', import.meta.url))

const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, code: withoutComments(readFileSync(join(src, file), 'utf8')) }))

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
}

const filesWith = (pattern: RegExp): string[] =>
  sources
    .filter(({ code }) => pattern.test(code))
    .map(({ file }) => file)
    .sort()

test('Only the named files declare a text as encoded, or an address as safe.', () => {
  expect(filesWith(/\bas (?:string as )?Html\b/)).toEqual(['domain/html/html.ts', 'domain/markdown/html-writer.ts'])
  expect(filesWith(/\bas (?:string as )?SafeUrl\b/)).toEqual(['domain/markdown/links/link-urls.ts'])
  expect(filesWith(/\bas (?:string as )?Style\b/)).toEqual(['domain/html/html.ts'])
  expect(filesWith(/\btrustHtml\(/)).toEqual([
    'domain/files/thumbnails.ts',
    'domain/markdown/formulas/formulas.ts',
    'domain/markdown/inline/inline-renderer.ts',
    'domain/markdown/normalize-html.ts',
    'domain/markdown/render.ts',
    'domain/messages/editing/html-pieces.ts',
  ])
})
