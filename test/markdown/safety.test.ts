/** For any content, the HTML is safe and well formed, and rendering takes little time. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileLinkifier } from '../../src/domain/markdown/context/compiled-linkifier.js'
import type { RenderContext } from '../../src/domain/markdown/context/render-context.js'
import { MAX_HTML_LENGTH, render, renderInline } from '../../src/domain/markdown/render.js'
import { measureRatio, processorTime } from '../setup/processes/processor-time.js'
import { findFaults } from './browser-check.js'
import { renderContext } from './render-context.js'

const linkifier = (pattern: string, url_template: string) => compileLinkifier({ id: 1, pattern, url_template })

/** A linkifier without a required character turns the shortcut for plain text off. This one matches no text. */
const matchesNothing = linkifier(String.raw`(?P<x>[^\x00-\x{10FFFF}])`, 'https://t/{x}')

const everything: RenderContext = {
  ...renderContext,
  translate_emoticons: true,
  linkifiers: [
    ...renderContext.linkifiers,
    linkifier('x(?P<any>.*)', '{+any}'),
    linkifier('(?P<word>[a-z]+)-[0-9]', 'https://e.org/{word}?"<{word}'.replace('"<', '')),
  ],
  usersByName: (name) => (name.length > 12 ? [] : [{ id: 1, full_name: name, is_active: true }]),
  groupByName: (name) => ({ id: 2, name, display_name: name, deactivated: false }),
  channelByName: (name) => (name.length > 12 ? undefined : { id: 3, name }),
  uploadedImage: (path_id) => ({
    thumbnail: path_id.length % 2 === 0 ? 'ready' : 'pending',
    content_type: 'image/png',
    width: 1,
    height: 1,
  }),
}

const tokens = [
  '*',
  '**',
  '***',
  '~~',
  '`',
  '```',
  '```\n',
  '~~~',
  '\n',
  '\n\n',
  '    ',
  '  ',
  ' ',
  '> ',
  '# ',
  '* ',
  '1. ',
  '- ',
  '---',
  '|',
  ':-:',
  '-|-',
  '[',
  ']',
  '(',
  ')',
  '](',
  '[a](',
  '<',
  '>',
  '"',
  "'",
  '&',
  '&amp;',
  '&#106;',
  '&colon;',
  '\\',
  '$$',
  '$$\\frac{a}{b}$$',
  '\\href{javascript:x}{y}',
  '```math\n',
  '```quote\n',
  '```spoiler x',
  '```py\n',
  '@',
  '@**',
  '@_**',
  '@**Ada Low**',
  '@**|7**',
  '@*devs*',
  '@**all**',
  '#**',
  '#**design**',
  '#**design>x@5**',
  '#42',
  'x-1',
  ':',
  ':smile:',
  ':party:',
  ':)',
  '<3',
  '<time:',
  '<time:2025-01-01>',
  'javascript:',
  'java\tscript:alert(1)',
  'data:text/html,',
  'vbscript:',
  '//evil.org',
  'https://',
  'https://e.org/a.png',
  'e.org',
  'a@e.org',
  '/user_uploads/1/a.png',
  'https://youtu.be/aqz-KE-bpKQ',
  'https://chat.example.org/#narrow/',
  '<script>',
  '</p>',
  '<img src=x onerror=y>',
  '" onclick="',
  "' onclick='",
  'style="',
  '\u0000',
  '\u0002',
  '\u0003',
  '\u00020\u0003',
  '\u2028',
  '\ud83d',
  '🎄',
  '👩‍👩‍👧',
  '❤️',
  'é',
  '漢',
  'x',
  'word ',
  '0',
]

const typed = fc.oneof(
  fc.array(fc.constantFrom(...tokens), { maxLength: 40 }).map((parts) => parts.join('')),
  fc
    .array(fc.oneof(fc.constantFrom(...tokens), fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 20 })
    .map((parts) => parts.join('')),
)

describe('The HTML of any content', () => {
  test('The HTML is balanced, and has only known tags, attributes and addresses.', () => {
    fc.assert(
      fc.property(typed, (content) => {
        expect(findFaults(render(content, everything).html)).toEqual([])
        expect(findFaults(renderInline(content, everything))).toEqual([])
      }),
      { numRuns: 2_000 },
    )
  })

  test('The HTML contains no placeholders of the renderer.', () => {
    fc.assert(
      fc.property(typed, (content) => !/\p{Cc}/u.test(render(content, everything).html.replace(/[\n\t\u0085]/g, ''))),
      { numRuns: 2_000 },
    )
  })

  test('The HTML does not end with a line break.', () => {
    fc.assert(
      fc.property(typed, (content) => !render(content, renderContext).html.endsWith('\n')),
      { numRuns: 1_000 },
    )
  })

  test('The HTML is the same with and without the shortcut for plain text.', () => {
    const letters = [...'abcXYZ019 ,\'"!?().-éяи漢カ한', '. ', ' .', 'e.org', '\n', '#1', ':', '1. ', '- ']
    const plain = fc.array(fc.constantFrom(...letters), { maxLength: 25 }).map((parts) => parts.join(''))
    const contexts = fc.constantFrom(
      renderContext,
      { ...renderContext, linkifiers: [] },
      { ...renderContext, linkifiers: [linkifier('(?P<x>[a-z]+)', 'https://t/{x}')], translate_emoticons: true },
    )
    fc.assert(
      fc.property(plain, contexts, (content, context) => {
        const withoutShortcut = { ...context, linkifiers: [...context.linkifiers, matchesNothing] }
        expect(render(content, context)).toEqual(render(content, withoutShortcut))
      }),
      { numRuns: 5_000 },
    )
  })

  test.each([
    '$$\\href{javascript:alert(1)}{x}$$',
    '$$\\url{javascript:alert(1)}$$',
    '$$\\includegraphics{https://e.org/x}$$',
    '$$\\htmlStyle{background:url(https://e.org)}{x}$$',
    '$$\\htmlData{a=b}{x}$$',
    '$$\\color{red;background:url(x)}x$$',
  ])('A formula cannot link to, load or style anything outside itself: %s', (content) => {
    const { html } = render(content, renderContext)
    expect(findFaults(html)).toEqual([])
    expect(html).not.toMatch(/ (?:href|src|data-[a-z]+)=|style="[^"]*url/)
  })

  test('The content of formulas does not get into the log.', () => {
    const { warn } = console
    const heard: unknown[] = []
    console.warn = (text) => heard.push(text)
    render('$$\\text{🎄漢}\u200d$$', renderContext)
    console.warn = warn
    expect(heard).toEqual([])
  })
})

describe('Rendering 10,000 characters in a bounded processor time', () => {
  const LENGTH = 10_000
  /** In units of the fixed work of processor-time.ts. The costliest content (many small tables) takes about 20. */
  const LIMIT = 40

  const hostile: RenderContext = {
    ...renderContext,
    translate_emoticons: true,
    linkifiers: [
      '#(?P<x>[0-9]+)',
      '(?P<x>[a-z]+-[0-9]+)',
      'a(?P<x>.*z)?',
      '(?P<x>(a|b|ab)*c)',
      '(?P<x>([a-z]{1,30} ){1,10}q)',
      '(?P<x>(x+x+)+y)',
      '[ab](?P<x>[ab ]*q)?',
    ].map((pattern) => linkifier(pattern, 'https://t/{x}')),
  }

  /** Fails when rendering the content takes more than its share of processor time. */
  const soon = (content: string): void => {
    expect(measureRatio(() => render(content, hostile), LIMIT)).toBeLessThan(LIMIT)
  }

  const filled = (unit: string): string =>
    Array.from(unit.repeat(Math.ceil(LENGTH / Array.from(unit).length)))
      .slice(0, LENGTH)
      .join('')

  const half = (open: string, close: string): string => {
    const n = Math.floor(LENGTH / (open.length + close.length + 1))
    return `${open.repeat(n)}x${close.repeat(n)}`
  }

  const units = [
    'a',
    'a ',
    'ab',
    'a\n',
    'a\n\n',
    '\n',
    ' ',
    '\t',
    '\tx\n',
    '\\`',
    'a|b\n-|-\n\n',
    '* a\n  ```\n',
    '![a](',
    '    x\n\n',
    '*',
    '**',
    '***',
    '* ',
    '**a',
    '*a*',
    '***a***',
    '~~a~~',
    '`',
    '`a',
    '`` ` ',
    '[',
    '](',
    '[a](',
    '[a](b)',
    '[](',
    '(',
    '![a](b.c) ',
    '<',
    '&',
    '&a',
    '"',
    "'",
    ':',
    ':a',
    ':smile:',
    ':)',
    '🎄',
    '👩‍👩‍👧',
    '❤️',
    '\u200d',
    '@**',
    '@**a',
    '@**Ada Low** ',
    '@*devs* ',
    '#**',
    '#**design>a** ',
    '#**a>b',
    '$$',
    '$$a',
    '$$a$$ ',
    '$$\\$',
    '$$\\frac{a}{b}$$ ',
    '<time:',
    '<time:1>',
    '> ',
    '>',
    '> a\n',
    '* a\n',
    '  * a\n',
    '* * ',
    '* > ',
    '1. a\n\n  * b\n\n',
    '# ',
    '# a\n',
    '---\n',
    'a\n---\n',
    '|',
    '|-',
    'a|b\n-|-\n',
    '| a |\n',
    '```\n',
    '~~~\n',
    '```quote\n',
    '```spoiler x\n',
    '```math\n',
    '```py\n',
    '```\na\n```\n',
    'http://',
    'http://a,',
    'http://a/(,',
    'http://a.b/"',
    'e.org,',
    'a@b.c,',
    'https://e.org/x.png\n',
    '#1 ',
    'x-1 ',
    'a b ',
    'aaaa z ',
    '\\',
    '\u0002',
    '\u0000',
  ]
  test.each(units)('A message that repeats %j is rendered in time.', (unit) => soon(filled(unit)))

  test.each(units)('Twice as many repetitions of %j take about twice the time.', (unit) => {
    const best = (content: string): number =>
      Math.min(...Array.from({ length: 3 }, () => processorTime(() => render(content, hostile))))
    const [once, twice] = [filled(unit), filled(unit) + filled(unit)]
    // Other processes make single measurements longer, so a ratio counts only if it repeats.
    let ratio = Number.POSITIVE_INFINITY
    for (let i = 0; i < 5 && ratio > 3.5; i++) {
      const [one, two] = [best(once), best(twice)]
      // Shorter times say nothing.
      ratio = Math.min(ratio, two < 5 ? 1 : two / one)
    }
    expect(ratio).toBeLessThan(3.5)
  })

  test.each([
    ['[', ']'],
    ['(', ')'],
    ['[a](', ')'],
    ['**', '**'],
    ['*a ', '*'],
    ['> ', ''],
    ['```quote\n', '```\n'],
  ])('A message that nests %j is rendered in time.', (open, close) => soon(half(open, close)))

  test.each([
    ['```', 'a', '`'],
    ['``` ', ' ', '`'],
    ['# ', '#', 'x'],
    ['> ', '> ', ''],
    ['---', ' -', 'x'],
    ['[', 'a', ']('],
    ['[a](https://', 'a', ''],
    ['http://', 'a', '"x'],
    ['http://a/', '(', 'x'],
    ['', 'a.', 'b'],
    ['a@', 'a.', '-'],
    ['<time:', '1', 'x>'],
    ['', '<time:', '`x`>'],
    ['', '$$a', ' `x`$$'],
    ['@**', 'a', ''],
    ['#**', 'a>', '**'],
    ['a|b\n-|-\n', '`|', ''],
    ['|', '-|', '\n|-|'],
    ['$$', '\\$', '$$'],
    ['', '~', '~a~~'],
    [':', '_', ':'],
  ])('A message of %j, then %j repeated, then %j is rendered in time.', (before, unit, after) => {
    soon(before + filled(unit).slice(0, LENGTH - before.length - after.length) + after)
  })

  const formulas = [
    half('\\sqrt{', '}'),
    half('\\frac1{', '}'),
    half('x^{', '}'),
    half('{', '}'),
    half('\\left(', '\\right)'),
    half('\\hat{', '}'),
    half('\\Braket{a|', '}'),
    `\\begin{matrix}${'&'.repeat(2_000)}\\end{matrix}`,
    `\\begin{array}{${'c|'.repeat(900)}}x\\end{array}`,
    `\\def\\a{${'x'.repeat(700)}}${'\\a'.repeat(700)}`,
    '\\def\\a{\\a\\a}\\a',
    `\\newcommand{\\a}[1]{#1#1#1#1}${'\\a{'.repeat(300)}x${'}'.repeat(300)}`,
    '\\edef\\a{xx}\\edef\\a{\\a\\a}'.repeat(20),
    '\\KaTeX'.repeat(400),
    'x+'.repeat(1_200),
    `\\text{${'ä'.repeat(450)}}`,
    '\\rule{99999em}{99999em}',
    `\\begin{CD}${'@>>>'.repeat(400)}\\end{CD}`,
  ]
  test.each(formulas)('Formula %# is rendered in time.', (tex) => {
    soon(`\`\`\`math\n${tex.slice(0, 9_980)}\n\`\`\``)
    soon(filled(`$$${tex.slice(0, 2_000)}$$ `))
  })

  test.each(['py', 'js', 'html', 'sql', 'tex', 'diff', 'json', 'c', 'scss', 'yaml', 'php', 'bash', 'md'])(
    'Code in %s is highlighted in time.',
    (language) => {
      for (const unit of [
        'a',
        '"',
        "'",
        '/*',
        '<',
        '<a ',
        '<!--',
        '\\',
        '(',
        '#',
        '0',
        '@',
        'a="',
        '\n',
        '$',
        '{',
        '"""',
        '&a',
      ]) {
        soon(`\`\`\`${language}\n${filled(unit).slice(0, LENGTH - 20)}\n\`\`\``)
      }
    },
  )

  test('Mixtures of all these syntaxes are rendered in time.', () => {
    const mixed = fc
      .array(fc.constantFrom(...units), { minLength: 1, maxLength: 3 })
      .map((parts) => filled(parts.join('')))
    fc.assert(
      fc.property(
        fc
          .array(mixed, { minLength: 1, maxLength: 2 })
          .map((parts) => parts.map((part) => part.slice(0, LENGTH / parts.length)).join('')),
        soon,
      ),
      { numRuns: 150 },
    )
  })

  test('A thousand short messages are rendered in the time of the fixed work.', () => {
    const content = 'Sure, let me look at that tomorrow morning.'
    const renderAll = (): void => {
      for (let i = 0; i < 1_000; i++) render(content, renderContext)
    }
    expect(measureRatio(renderAll, 1)).toBeLessThan(1)
  })

  test('The HTML of syntax that multiplies its input is bounded.', () => {
    expect(
      render(`${'|'.repeat(3_000)}\n${'|-'.repeat(3_000)}|${'\n|'.repeat(400)}`, renderContext).html.length,
    ).toBeLessThan(MAX_HTML_LENGTH)
    expect(render(filled('> '), renderContext).html.length).toBeLessThan(MAX_HTML_LENGTH)
    expect(render(filled('* '), renderContext).html.length).toBeLessThan(MAX_HTML_LENGTH)
  })
})
