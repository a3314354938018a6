/** Linkifiers: which are refused, what they link, and the links of a topic. */
import { describe, expect, test } from 'vitest'
import { compileLinkifier, LinkifierError } from '../../src/domain/markdown/context/compiled-linkifier.js'
import { findTopicLinks } from '../../src/domain/markdown/links/topic-links.js'
import { render } from '../../src/domain/markdown/render.js'
import { renderContext } from './render-context.js'

const linkifier = (pattern: string, url_template: string) => compileLinkifier({ id: 1, pattern, url_template })

const refusal = (pattern: string, url_template: string) => {
  try {
    linkifier(pattern, url_template)
  } catch (error) {
    if (error instanceof LinkifierError) return { field: error.field, message: error.message }
    throw error
  }
  return undefined
}

describe('Refused linkifiers', () => {
  test.each(['(', 'a(?=b)', '(?<!a)b', '(a)\\1', '[', 'a)(b', '*', 'a{2000}'])(
    'A pattern that is not valid RE2 is refused: %s',
    (pattern) => {
      expect(refusal(pattern, 'https://t')).toEqual({
        field: 'pattern',
        message: expect.stringMatching(/^Bad regular expression: ./),
      })
    },
  )

  test('A pattern that is too large is refused.', () => {
    expect(refusal('((a{1,30}){1,30}){1}b', 'https://t')?.message).toBe('Bad regular expression: it is too large.')
    expect(refusal('a'.repeat(10_001), 'https://t')?.message).toBe('Bad regular expression: it is too large.')
  })

  test.each([
    'https://t/{',
    'https://t/}',
    'https://t/{id',
    'https://t/{{id}}',
    'https://t/{id x}',
    'https://t/{!id}',
    'https://t/{}',
    'a b{id}',
  ])('A URL template that does not follow RFC 6570 is refused: %s', (template) => {
    expect(refusal('#(?P<id>[0-9]+)', template)).toEqual({
      field: 'url_template',
      message: 'This is no URL template: see RFC 6570.',
    })
  })

  test('A linkifier whose groups differ from the variables of its template is refused.', () => {
    expect(refusal('#(?P<id>[0-9]+)', 'https://t/{id}/{other}')?.message).toBe(
      'Group “other” in URL template is not present in linkifier pattern.',
    )
    for (const pattern of ['(?P<org>[a-z]+)#(?P<id>[0-9]+)', '(?P<id>[0-9]+)#(?P<org>[a-z]+)']) {
      expect(refusal(pattern, 'https://t/{id}')?.message).toBe(
        'Group “org” in linkifier pattern is not present in URL template.',
      )
    }
  })

  test('A blank pattern or URL template is refused.', () => {
    expect(refusal('', 'https://t')).toEqual({ field: 'pattern', message: 'This must not be blank.' })
    expect(refusal('x', ' ')).toEqual({ field: 'url_template', message: 'This must not be blank.' })
  })
})

describe('Links of linkifiers', () => {
  test('A group can have any name.', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'name', 'id']) {
      const linkifiers = [linkifier(`w-(?P<${name}>[a-z]+)`, `https://t/{${name}}`)]
      expect(render('w-home', { ...renderContext, linkifiers }).html, name).toBe(
        '<p><a href="https://t/home">w-home</a></p>',
      )
    }
  })

  const ticket = linkifier('#(?P<id>[0-9]+)', 'https://t/{id}')
  const paragraph = (content: string, linkifiers = [ticket]) =>
    render(content, { ...renderContext, linkifiers }).html.replace(/^<p>|<\/p>$/g, '')
  const link = (text: string, url = `https://t/${text.slice(1)}`) => `<a href="${url}">${text}</a>`

  test.each([
    ['#42', link('#42')],
    [
      'a #1, #2,#3 (#4) "#5" \'#6\':#7',
      `a ${link('#1')}, ${link('#2')},${link('#3')} (${link('#4')}) "${link('#5')}" '${link('#6')}':${link('#7')}`,
    ],
    ['<#8> ;#9', `&lt;${link('#8')}&gt; ;#9`],
    ['$$#1$$', '<span class="tex-error">$$#1$$</span>'],
    ['#1\n#2\n\n> #3', `${link('#1')}<br>\n${link('#2')}</p>\n<blockquote>\n<p>${link('#3')}</p>\n</blockquote>`],
    ['x#1 #2x -#3 #4_ #5é', `x#1 #2x -#3 ${link('#4')}_ #5é`],
    ['#1 #2\u0085#3\u2003#4', `${link('#1')} ${link('#2')}\u0085${link('#3')}\u2003${link('#4')}`],
    ['[#1](https://e.org) `#2` $$_#3', `<a href="https://e.org">#1</a> <code>#2</code> $$_${'#3'}`],
    ['**#1** *#2*', '<strong>#1</strong> <em>#2</em>'],
  ])('The linkifiers link the matches in %j.', (content, expected) => expect(paragraph(content)).toBe(expected))

  test('Linkifiers are applied in their order.', () => {
    const first = linkifier('ab-(?P<n>[0-9]+)', 'https://first/{n}')
    const second = linkifier('(?P<word>[a-z]+)-[0-9]+', 'https://second/{word}')
    expect(paragraph('ab-1 cd-2', [first, second])).toBe(
      `${link('ab-1', 'https://first/1')} ${link('cd-2', 'https://second/cd')}`,
    )
    expect(paragraph('ab-1 cd-2', [second, first])).toBe(
      `${link('ab-1', 'https://second/ab')} ${link('cd-2', 'https://second/cd')}`,
    )
  })

  test('A match links to the address that the URL template expands to.', () => {
    const search = linkifier('find:(?P<q>[a-z&]+)(?:@(?P<where>[a-z]+))?', 'https://s/search{?q,where}')
    expect(paragraph('find:a&b find:x@y', [search])).toBe(
      `${link('find:a&amp;b', 'https://s/search?q=a%26b')} ${link('find:x@y', 'https://s/search?q=x&amp;where=y')}`,
    )
  })

  test('A match never links to an address that is not allowed.', () => {
    expect(paragraph('run:alert(1)', [linkifier('run:(?P<code>\\S+)', 'javascript:{+code}')])).toBe('run:alert(1)')
    expect(paragraph('go:javascript:x', [linkifier('go:(?P<url>\\S+)', '{+url}')])).toBe('go:javascript:x')
  })

  test('A match with half a surrogate pair is linked.', () => {
    const any = linkifier('x(?P<any>.*)', 'https://t/{any}')
    expect(findTopicLinks('x\ud800', { linkifiers: [any] })).toEqual([{ text: 'x\ud800', url: 'https://t/%EF%BF%BD' }])
  })

  test('An empty match is not linked.', () => {
    expect(paragraph('aaa b', [linkifier('a*', 'https://t/')])).toBe(`${link('aaa', 'https://t/')} b`)
  })

  test('A linkifier matches in long lines too.', () => {
    const line = 'see #7 please '.repeat(200).trim()
    expect(paragraph(line).split('<a ').length - 1).toBe(200)
  })
})

describe('The links of a topic', () => {
  const linkifiers = [
    linkifier('#(?P<id>[0-9]+)', 'https://t/{id}'),
    linkifier('(?P<any>[a-z]+-[0-9]+)', 'https://any/{any}'),
  ]

  test.each([
    ['nothing here', []],
    [
      'fix #12 and #3',
      [
        { text: '#12', url: 'https://t/12' },
        { text: '#3', url: 'https://t/3' },
      ],
    ],
    [
      'https://e.org/a, b.org #1',
      [
        { text: 'https://e.org/a', url: 'https://e.org/a' },
        { text: 'b.org', url: 'https://b.org' },
        { text: '#1', url: 'https://t/1' },
      ],
    ],
    ['a@b.org', []],
    [
      'ab-1 #2',
      [
        { text: 'ab-1', url: 'https://any/ab-1' },
        { text: '#2', url: 'https://t/2' },
      ],
    ],
  ])('The topic %j has the expected links.', (topic, expected) =>
    expect(findTopicLinks(topic, { linkifiers })).toEqual(expected),
  )

  test('If two matches in a topic overlap, the match of the first linkifier wins.', () => {
    const overlapping = [linkifier('(?P<x>b c)', 'https://1/{x}'), linkifier('(?P<y>a b)', 'https://2/{y}')]
    expect(findTopicLinks('a b c', { linkifiers: overlapping })).toEqual([{ text: 'b c', url: 'https://1/b%20c' }])
  })
})
