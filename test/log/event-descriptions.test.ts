/** The prose of the API reference for events (gateway/site/event-descriptions.ts). */
import { expect, test } from 'vitest'
import { entryKinds } from '../../src/domain/entry-kinds.js'
import { eventDescriptions } from '../../src/gateway/site/event-descriptions.js'

/** Entries without an event. */
const silent = ['quiet', 'tick', 'messages_changed']

test('The API reference describes every kind of event, and no other.', () => {
  const kinds = [...entryKinds.keys()].filter((kind) => !silent.includes(kind))
  expect(Object.keys(eventDescriptions).sort()).toEqual(kinds.sort())
})
