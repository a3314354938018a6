/** The fragments of addresses in the web client are those of Zulip's links. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { channelLink, decodePart, encodePart, topicLink } from '../../rules/src/links.js'
import { render } from '../../src/domain/markdown/render.js'
import { formatView, parseFragment as parse, type View } from '../../web/src/routing/fragment.js'
import { renderContext } from '../markdown/render-context.js'

const parseFragment = (fragment: string) => parse(fragment, new Set(['settings', 'channels']))

const names = {
  channel: (id: number) => (id === 3 ? 'design & co.' : undefined),
  user: (id: number) => (id === 5 ? 'Ada Low' : undefined),
}

const term = (operator: string, operand: string | number | number[], negated = false) => ({
  operator,
  operand,
  negated,
})

describe('A link that another client copied opens its place', () => {
  test.each([
    ['#inbox', { name: 'inbox' }],
    ['#recent', { name: 'recent' }],
    ['#recent_topics', { name: 'recent' }],
    ['#drafts', { name: 'drafts' }],
    ['#scheduled', { name: 'scheduled' }],
    ['#reminders', { name: 'reminders' }],
    ['#starred', { name: 'messages', terms: [term('is', 'starred')] }],
    ['#feed', { name: 'messages', terms: [] }],
    ['#narrow/channel/3-design', { name: 'messages', terms: [term('channel', 3)] }],
    ['#narrow/stream/3-design/subject/a.20b', { name: 'messages', terms: [term('channel', 3), term('topic', 'a b')] }],
    ['#narrow/channel/3-design/topic/', { name: 'messages', terms: [term('channel', 3), term('topic', '')] }],
    [
      '#narrow/channel/3-design/topic/logo.20v2/near/95',
      { name: 'messages', terms: [term('channel', 3), term('topic', 'logo v2')], near: 95 },
    ],
    [
      '#narrow/channel/3-design/topic//with/91',
      { name: 'messages', terms: [term('channel', 3), term('topic', '')], with: 91 },
    ],
    ['#narrow/dm/5,7-dm', { name: 'messages', terms: [term('dm', [5, 7])] }],
    ['#narrow/pm-with/5-Ada-Low', { name: 'messages', terms: [term('dm', [5])] }],
    ['#narrow/streams/public', { name: 'messages', terms: [term('channels', 'public')] }],
    ['#narrow/-is/starred', { name: 'messages', terms: [term('is', 'starred', true)] }],
    ['#narrow/sender/5-Ada-Low', { name: 'messages', terms: [term('sender', 5)] }],
  ])('%s', (fragment, view) => {
    expect(parseFragment(fragment)).toEqual({ view })
  })

  test('The address of a dialog names the dialog and its path.', () => {
    expect(parseFragment('#settings/profile')).toEqual({ overlay: { name: 'settings', path: ['profile'] } })
    expect(parseFragment('#streams/all')).toEqual({ overlay: { name: 'channels', path: ['all'] } })
  })

  test.each(['', '#'])('The fragment %j names no place.', (fragment) => {
    expect(parseFragment(fragment)).toBeUndefined()
  })

  test.each(['#nothing', '#narrow', '#narrow/', '#/x', '#narrow/topic/.E0.80', '#narrow/%/x', '#constructor'])(
    'The fragment %j is unknown, and keeps its text.',
    (fragment) => {
      const place = { view: { name: 'unknown', fragment: fragment.slice(1) } } as const
      expect(parseFragment(fragment)).toEqual(place)
      expect(formatView(place.view, names)).toBe(fragment)
    },
  )
})

test('Any text survives being a part of a fragment.', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const part = encodePart(text)
      expect(part).toMatch(/^[\w\-~.]*$/)
      expect(decodePart(part)).toBe(text)
    }),
  )
})

test('A view that is written as a fragment is read as the same view.', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 })
  const id = fc.integer({ min: 1, max: 1e9 })
  const anyTerm = fc.oneof(
    fc.record({ operator: fc.constant('channel'), operand: id, negated: fc.boolean() }),
    fc.record({ operator: fc.constant('topic'), operand: fc.oneof(text, fc.constant('')), negated: fc.boolean() }),
    fc.record({
      operator: fc.constant('dm'),
      operand: fc.uniqueArray(id, { minLength: 1 }),
      negated: fc.boolean(),
    }),
    fc.record({ operator: fc.constantFrom('is', 'has', 'search'), operand: text, negated: fc.boolean() }),
  )
  fc.assert(
    fc.property(fc.array(anyTerm), fc.option(id, { nil: undefined }), (terms, near) => {
      const view: View = { name: 'messages', terms, ...(near !== undefined && { near }) }
      expect(parseFragment(formatView(view, names))).toEqual({ view })
    }),
  )
})

test('Fragments contain the names that the reader knows.', () => {
  const terms = [term('channel', 3), term('topic', 'v2')]
  expect(formatView({ name: 'messages', terms }, names)).toBe('#narrow/channel/3-design-.26-co.2E/topic/v2')
  expect(formatView({ name: 'messages', terms: [term('dm', [5])] }, names)).toBe('#narrow/dm/5-Ada-Low')
})

describe('A link that the composer completes leads to its place, whatever the names contain', () => {
  const parts = [
    'a',
    'B',
    ' ',
    '*',
    '**',
    '`',
    '>',
    '<',
    '$$',
    '[',
    ']',
    '(x)',
    '@5',
    '@**b**',
    '#',
    '&lt;',
    '&',
    '|',
    'é',
  ]
  const name = fc
    .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 6 })
    .map((found) => found.join('').trim())
    .filter((text) => text !== '')
  const follow = (markdown: string, channel_name: string) => {
    const channelByName = (text: string) => (text === channel_name ? { id: 3, name: channel_name } : undefined)
    const { html } = render(`see ${markdown} now`, { ...renderContext, channelByName })
    const links = [...html.matchAll(/<a [^>]*href="\/?(#[^"]*)"/g)].map(([, href = '']) => parseFragment(href))
    expect(links, html).toHaveLength(1)
    expect(html).toMatch(/^<p>see <a .*<\/a> now<\/p>$/)
    return links[0]
  }

  test('Links to channels and topics lead to them.', () => {
    fc.assert(
      fc.property(name, name, (channel_name, topic) => {
        const channel = term('channel', 3)
        expect(follow(channelLink({ id: 3, name: channel_name }), channel_name)).toEqual({
          view: { name: 'messages', terms: [channel] },
        })
        expect(follow(topicLink({ id: 3, name: channel_name }, topic, topic), channel_name)).toEqual({
          view: { name: 'messages', terms: [channel, term('topic', topic)] },
        })
      }),
      { numRuns: 500 },
    )
  })
})
