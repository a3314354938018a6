/** Highlighted code blocks: the classes of Pygments for the words of each language. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeCode } from '../../src/domain/html/html.js'
import { writeCodeBlock } from '../../src/domain/markdown/code-blocks.js'
import { grammars } from '../../src/domain/markdown/code-grammars.js'
import { highlightCode } from '../../src/domain/markdown/code-highlighter.js'
import { findLanguageName } from '../../src/domain/markdown/language-names.js'

/** Returns spans in a short form, `k:def n:x`; text without a class has no prefix. */
const tokens = (code: string, language: string) =>
  highlightCode(code, language)
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
    ['ts', 'TypeScript'],
    ['sh', 'Bash'],
    ['c++', 'C++'],
    ['latex', 'TeX'],
    ['html', 'HTML'],
    ['text', 'Text only'],
    ['golang', 'Go'],
    ['yml', 'YAML'],
    ['JavaScript', 'JavaScript'],
    ['foolang', undefined],
  ])('The typed language %s has the name %s.', (typed, name) => expect(findLanguageName(typed)).toBe(name))

  test('Every grammar belongs to a language with a name.', () => {
    for (const name of Object.keys(grammars)) expect(findLanguageName(name)).toBe(name)
  })
})

describe('Highlighting code', () => {
  test.each([
    ['Python', 'def speak(self):\n    x = 1', '‹k:def› ‹nf:speak›‹p:(›‹bp:self›‹p:):›\n    ‹n:x› ‹o:=› ‹mi:1›'],
    ['Python', 'import os # x', '‹kn:import› ‹nn:os› ‹c1:# x›'],
    ['Python', '@cached\nclass A: pass', '‹nd:@cached›\n‹k:class› ‹nc:A›‹p::› ‹k:pass›'],
    [
      'Python',
      'print("a\\"b", \'c\', """d\ne""")',
      '‹nb:print›‹p:(›‹s2:"a\\"b"›‹p:,› ‹s1:\'c\'›‹p:,› ‹s2:"""d›\n‹s2:e"""›‹p:)›',
    ],
    ['Python', 'x = not None and 0x1f + 1.5e3', '‹n:x› ‹o:=› ‹ow:not› ‹kc:None› ‹ow:and› ‹mh:0x1f› ‹o:+› ‹mf:1.5e3›'],
    ['JavaScript', 'const a = `x`;', '‹kd:const›‹w: ›‹nx:a›‹w: ›‹o:=›‹w: ›‹sb:`x`›‹p:;›'],
    ['Dart', 'class A {}', '‹kd:class›‹w: ›‹nc:A›‹w: ›‹p:{}›'],
    ['C', '#include <x>\nint f(); /* a\nb */', '‹cp:#include <x>›\n‹kt:int›‹w: ›‹n:f›‹p:();›‹w: ›‹cm:/* a›\n‹cm:b */›'],
    ['SQL', "SELECT 'a\\' FROM t -- x", "‹k:SELECT›‹w: ›‹s1:'a\\'›‹w: ›‹k:FROM›‹w: ›‹n:t›‹w: ›‹c1:-- x›"],
    ['JSON', '{"a": [1, true]}', '‹p:{›‹nt:"a"›‹p::›‹w: ›‹p:[›‹mi:1›‹p:,›‹w: ›‹kc:true›‹p:]}›'],
    [
      'HTML',
      '<a href="x">&amp;</a><!-- y -->',
      '‹p:<›‹nt:a›‹w: ›‹na:href›‹o:=›‹s:"x"›‹p:>›‹ni:&amp;amp;›‹p:</›‹nt:a›‹p:>›‹cm:<!-- y -->›',
    ],
    ['Diff', '--- a\n+b\n@@ 1\n c', '‹gd:--- a›\n‹gi:+b›\n‹gu:@@ 1›\n‹w: ›c'],
    ['TeX', '\\pi \\textbf{ is not } 3.14', '‹k:\\pi› ‹k:\\textbf›‹nb:{› is not ‹nb:}› 3.14'],
    ['Bash', '#!/bin/sh\necho "$x"; # y', '‹ch:#!/bin/sh›\n‹nb:echo›‹w: ›‹s2:"$x"›‹p:;›‹w: ›‹c1:# y›'],
    ['Clojure', '(def a "b")', '(def a "b")'],
    [
      'YAML',
      '---\n- a: "b" # c\n  d: [1, &x e f]\n  "g:h": !!str *x\n',
      '‹nn:---›\n‹p p-Indicator:-›‹w: ›‹nt:a›‹p::›‹w: ›‹s:"b"›‹w: ›‹c1:# c›\n' +
        '‹w:  ›‹nt:d›‹p::›‹w: ›‹p p-Indicator:[›‹l l-Scalar l-Scalar-Plain:1›‹p p-Indicator:,›‹w: ›‹nl:&amp;x›‹w: ›' +
        '‹l l-Scalar l-Scalar-Plain:e›‹w: ›‹l l-Scalar l-Scalar-Plain:f›‹p p-Indicator:]›\n' +
        '‹w:  ›‹nt:"g:h"›‹p::›‹w: ›‹kt:!!str›‹w: ›‹nv:*x›\n',
    ],
    [
      'YAML',
      'run: |\n  a: b\n\n  c\nurl: http://x.org:80',
      '‹nt:run›‹p::›‹w: ›‹p p-Indicator:|›\n‹no:  a: b›\n\n‹no:  c›\n' +
        '‹nt:url›‹p::›‹w: ›‹l l-Scalar l-Scalar-Plain:http://x.org:80›',
    ],
    ['INI', '; a\n[b]\n c = d=e\nf', '‹c1:; a›\n‹k:[b]›\n‹w: ›‹na:c›‹w: ›‹o:=›‹w: ›‹s:d=e›\n‹na:f›'],
  ])('The highlighter gives the classes of Pygments to %s code: %j.', (language, code, expected) =>
    expect(tokens(code, language)).toBe(expected),
  )

  test('Code in a language without a grammar is shown as plain text under the name of the language.', () => {
    expect(writeCodeBlock('(a "b")', 'clj')).toBe(
      '<div class="codehilite" data-code-language="Clojure"><pre><span></span><code>(a "b")\n</code></pre></div>',
    )
  })

  test('The highlighter never changes the characters of the code, in any language.', () => {
    const piece = fc.constantFrom(
      '"',
      "'",
      '`',
      '/*',
      '*/',
      '//',
      '#',
      '\n',
      '\\',
      '{',
      '<a b="',
      '>',
      '&',
      'def ',
      'x',
      '1.5',
      ' ',
      '"""',
      '@',
      '-- ',
      '$',
      'a: ',
      '|',
      '[',
      '\r',
      '\u2028',
    )
    const code = fc.oneof(
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
      fc.string({ unit: 'grapheme' }),
    )
    const language = fc.constantFrom(...Object.keys(grammars), 'HTML', 'Diff', 'TeX', 'YAML', 'INI')
    fc.assert(
      fc.property(code, language, (text, name) => {
        expect(highlightCode(text, name).replace(/<\/?span[^>]*>/g, '')).toBe(escapeCode(text))
      }),
      { numRuns: 3_000 },
    )
  })
})
