/** A link that the server writes leads to the same place in the page, and a link of the page is that of the server. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { channelFragment, topicFragment } from '../../rules/src/links.js'
import { parseNarrow } from '../../src/domain/messages/narrow/narrow.js'
import { messageLink } from '../../src/domain/messages/quoting.js'
import { formatView, parseFragment, type View } from '../../web/src/routing/fragment.js'
import { channelView, conversationOf, directView, topicView } from '../../web/src/routing/views.js'
import { StateBuilder } from '../setup/realm/state-builder.js'

const id = fc.integer({ min: 1, max: 2 ** 31 - 1 })
const name = fc.string({ unit: 'grapheme', minLength: 1 })
const topic = fc.oneof(name, fc.constant(''))

/** The names that the reader of a page knows. */
const names = (channel?: string, user?: string) => ({ channel: () => channel, user: () => user })

const viewOf = (fragment: string): View | undefined => {
  const place = parseFragment(fragment, new Set())
  return place !== undefined && 'view' in place ? place.view : undefined
}

test('A link to a channel, topic or message is the same of the server and of the page, and leads to it.', () => {
  fc.assert(
    fc.property(id, name, topic, id, (channel_id, channelName, topicName, message_id) => {
      const builder = new StateBuilder()
      const channel = builder.channel({ id: channel_id, name: channelName })
      const place = { id: message_id, channel_id, user_ids: null, topic: topicName }
      const links: [string, View][] = [
        [channelFragment(channel), channelView(channel_id)],
        [topicFragment(channel, topicName), topicView(channel_id, topicName)],
        [messageLink(builder.state, place), topicView(channel_id, topicName, message_id)],
      ]
      for (const [fragment, view] of links) {
        expect(viewOf(fragment)).toEqual(view)
        expect(formatView(view, names(channelName))).toBe(fragment)
        // Without the name of the channel, the link is another one, and leads to the same place.
        expect(viewOf(formatView(view, names()))).toEqual(view)
      }
    }),
  )
})

test('A link to a direct message leads to its conversation, also when the other user wrote it.', () => {
  fc.assert(
    fc.property(fc.uniqueArray(id, { minLength: 1, maxLength: 5 }), id, fc.option(name), (userIds, near, userName) => {
      const { state } = new StateBuilder()
      const link = messageLink(state, { id: near, channel_id: null, user_ids: userIds, topic: '' })
      const view = directView(userIds, near)
      expect(viewOf(link)).toEqual(view)
      expect(viewOf(formatView(view, names(undefined, userName ?? undefined)))).toEqual(view)
      expect(view.name === 'messages' && conversationOf(view.terms)).toEqual({ kind: 'direct', userIds })
    }),
  )
})

test('The server accepts the form of every term that a link has.', () => {
  const operators = 'channel channels topic dm dm-including group-pm-with sender mentions id is has in search'.split(
    ' ',
  )
  const operand = fc.constantFrom('5-Ada', '5,7-group', '5', 'public', 'Ada')
  fc.assert(
    fc.property(fc.constantFrom(...operators), operand, fc.boolean(), (operator, text, negated) => {
      const view = viewOf(`#narrow/${negated ? '-' : ''}${operator}/${text}`)
      const terms = view?.name === 'messages' ? view.terms : []
      expect(terms).toHaveLength(1)
      expect(parseNarrow(terms)).toEqual(terms)
      expect(viewOf(formatView(view as View, names()))).toEqual(view)
    }),
  )
})
