/** The text of a compose box, and the draft that the server has of it. */
import type { Draft } from '@parley/client/realm'
import { type Signal, signal } from '@preact/signals'
import { expect, test, vi } from 'vitest'
import type { Target } from '../../web/src/compose/compose-target.js'
import type { Chat } from '../../web/src/realm/chat.js'

interface Drafts {
  openText(chat: Chat, target: Target): { content: Signal<string>; edit(content: string): void; save(): void }
}
// Through a variable: the check of types would follow the import to components, for which it is not set up.
const file = '../../web/src/compose/drafts.js'
const { openText } = (await import(file)) as Drafts

const draftOf = (id: number, content: string, topic = 'lunch'): Draft =>
  ({ id, type: 'stream', to: [7], topic, content, timestamp: 0 }) as Draft

const setUp = () => {
  const drafts = signal<ReadonlyMap<number, Draft>>(new Map())
  const call = vi.fn(async () => ({ ids: [5] }))
  const chat = {
    ownUserId: 1,
    drafts,
    client: { call },
    settings: signal({ enable_drafts_synchronization: true }),
    organization: signal({ max_message_length: 10_000 }),
  } as unknown as Chat
  const text = openText(chat, { kind: 'topic', channelId: 7, topic: 'lunch' })
  return { drafts, call, text }
}

test('A text stays while the event of its new draft has not arrived, and other drafts change.', async () => {
  const { drafts, call, text } = setUp()
  text.edit('Soup')
  text.save()
  await vi.waitFor(() => expect(call).toHaveBeenCalledOnce())
  // The answer is there, and all that follows from it has run.
  await new Promise(setImmediate)
  drafts.value = new Map([[4, draftOf(4, 'elsewhere', 'dinner')]])
  expect(text.content.value).toBe('Soup')
  drafts.value = new Map([[5, draftOf(5, 'Soup')]])
  drafts.value = new Map([[5, draftOf(5, 'Salad')]])
  expect(text.content.value).toBe('Salad')
  drafts.value = new Map()
  expect(text.content.value).toBe('')
})
