/** Highlighted code blocks: the classes of Pygments for the words of each language. */
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeCode } from '../../src/domain/html/html.js'
import { writeCodeBlock } from '../../src/domain/markdown/code/code-blocks.js'
import { highlightCode } from '../../src/domain/markdown/code/code-highlighter.js'
import { findLanguage } from '../../src/domain/markdown/code/language-names.js'
import { splitCode } from '../../src/domain/markdown/code/prism.js'
import { codeSamples } from './code-samples.js'

const language = (alias: string) => {
  const found = findLanguage(alias)
  if (found === undefined) throw new Error(`no language has the alias ${alias}`)
  return found
}

/** Returns spans in a short form, `k:def n:x`; text without a class has no prefix. */
const tokens = (code: string, alias: string) =>
  highlightCode(code, language(alias))
    .replace(/<span class="([^"]+)">([^<]*)<\/span>/g, '‹$1:$2›')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')

describe('Names of languages', () => {
  test.each([
    ['py', 'Python'],
    ['python3', 'Python'],
    ['py2', 'Python 2.x'],
    ['js', 'JavaScript'],
    ['JS', 'JavaScript'],
    ['sh', 'Bash'],
    ['c++', 'C++'],
    ['latex', 'TeX'],
    ['text', 'Text only'],
    ['yml', 'YAML'],
    ['tf', 'Terraform'],
    ['console', 'Bash Session'],
    ['css+php', 'CSS+PHP'],
    ['foolang', undefined],
  ])('The typed language %s has the name %s.', (typed, name) => expect(findLanguage(typed)?.name).toBe(name))
})

describe('Highlighting code', () => {
  test.each([
    ['python', 'def speak(self):\n    x = 1', '‹k:def›‹w: ›‹nf:speak›‹p:(›‹bp:self›‹p:):›\n    ‹n:x› ‹o:=› ‹mi:1›'],
    ['python', 'x = not None and 0x1f', '‹n:x› ‹o:=› ‹ow:not› ‹kc:None› ‹ow:and› ‹mh:0x1f›'],
    ['js', 'const a = 1;', '‹kd:const›‹w: ›‹nx:a›‹w: ›‹o:=›‹w: ›‹mf:1›‹p:;›'],
    ['php', 'echo $x;', '‹k:echo› ‹nv:$x›‹p:;›'],
    ['css+php', 'echo $x;', '‹k:echo› ‹nv:$x›‹p:;›'],
    ['json', '{"a": [1, true]}', '‹p:{›‹nt:"a"›‹p::›‹w: ›‹p:[›‹mi:1›‹p:,›‹w: ›‹kc:true›‹p:]}›'],
    ['diff', '--- a\n+b\n@@ -1 +1 @@\n c', '‹gd:--- a›\n‹gi:+b›\n‹gu:@@ -1 +1 @@›\n‹w: ›c'],
    ['console', '$ ls -l\nx', '‹gp:$ ›ls‹w: ›-l\n‹go:x›'],
    ['sql', "select 'a' from t -- x", "‹k:select›‹w: ›‹s1:'a'›‹w: ›‹k:from›‹w: ›‹n:t›‹w: ›‹c1:-- x›"],
    ['pycon', '>>> x\n1', '‹gp:>>> ›‹n:x›\n‹go:1›'],
  ])('The highlighter gives the classes of Pygments to %s code: %j.', (alias, code, expected) =>
    expect(tokens(code, alias)).toBe(expected),
  )

  test('Code in a language without a grammar is shown as plain text under the name of the language.', () => {
    expect(writeCodeBlock('(a "b")', 'befunge')).toBe(
      '<div class="codehilite" data-code-language="Befunge"><pre><span></span><code>(a "b")\n</code></pre></div>',
    )
  })

  test.each(['#!python', '#!/usr/bin/python', '#!/usr/bin/env python', ':::python'])(
    'Code without a label that begins with %s is highlighted as Python, and has no language for clients.',
    (line) => {
      const html = writeCodeBlock(`${line}\nx = "1"`, '')
      expect(html).toMatch(/^<div class="codehilite"><pre><span><\/span><code>/)
      expect(html).toContain(
        '\n<span class="n">x</span> <span class="o">=</span> <span class="s2">&quot;1&quot;</span>\n',
      )
      expect(html.replace(/<[^>]+>/g, '')).toBe(`${line}\nx = &quot;1&quot;\n`)
    },
  )

  test.each(['#! foolang', '::', '# python', ' #!python'])(
    'Code without a label that begins with %s has no spans.',
    (line) => {
      expect(writeCodeBlock(`${line}\nx`, '')).not.toContain('class="n"')
    },
  )

  test.each(codeSamples.map(({ alias }) => alias))('Code in %s is highlighted.', (alias) => {
    const code = codeSamples.find((sample) => sample.alias === alias)?.code ?? ''
    expect(highlightCode(code, language(alias))).toContain('<span class="')
  })

  test('The highlighter never changes the characters of the code, in any language.', () => {
    const piece = fc.constantFrom(
      ...['"', "'", '`', '/*', '*/', '//', '#', '\n', '\\', '{', '<a b="', '>', '&', 'def ', 'x', '1.5', ' ', '"""'],
      ...['@', '-- ', '$', 'a: ', '|', '[', '\u2028', '<?php', '<%= ', '%>', '{{', '}}', '___ERB0___', '```'],
      ...['x'.repeat(200), ' '.repeat(90), '='.repeat(70), 'a b\n'.repeat(700)],
    )
    const code = fc.oneof(
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
      fc.string({ unit: 'grapheme' }),
    )
    const alias = fc.constantFrom(...codeSamples.map((sample) => sample.alias), 'erb', 'handlebars', 'twig', 'smarty')
    fc.assert(
      fc.property(code, alias, (text, name) => {
        expect(highlightCode(text, language(name)).replace(/<\/?span[^>]*>/g, '')).toBe(escapeCode(text))
      }),
      { numRuns: 1_500 },
    )
  })
})

test('Prism gets each character at most twice, in windows of a fixed size, so the time for code is linear.', () => {
  const Prism: typeof import('prismjs') = createRequire(import.meta.url)('prismjs')
  const { tokenize } = Prism
  let depth = 0
  let given: number[] = []
  Prism.tokenize = (text, grammar) => {
    if (depth === 0) given.push(text.length)
    depth++
    try {
      return tokenize(text, grammar)
    } finally {
      depth--
    }
  }
  try {
    for (const { alias, code } of codeSamples) {
      for (const unit of ['a', 'a b ', '"', '/*', '<a ', 'a\n', `${code}\n\n`]) {
        const whole = unit.repeat(Math.ceil(10_000 / unit.length))
        given = []
        splitCode(whole, language(alias).grammar ?? '')
        const sum = given.reduce((total, characters) => total + characters, 0)
        expect(Math.max(...given), `${alias} ${unit}`).toBeLessThanOrEqual(2_000)
        expect(sum, `${alias} ${unit}`).toBeLessThanOrEqual(2 * whole.length + 2_000)
      }
    }
  } finally {
    Prism.tokenize = tokenize
  }
}, 120_000)
