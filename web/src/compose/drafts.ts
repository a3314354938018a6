/**
 * The texts that the user has not sent yet, saved on the server as drafts.
 *
 * 1. A text is saved when the user pauses, and when the box is closed. An empty text deletes its draft.
 * 2. At most one call for a text is on its way, so a text never gets two drafts.
 * 3. What is not saved is kept in the browser (kept-texts.ts). A text that is too long for a message is only kept: the
 *    server would cut it.
 * 4. A change that another client of the user made replaces the text here, unless it was changed here too. A new draft
 *    can be answered before its event comes: until then, it is not one that another client deleted.
 * 5. When a topic is moved, its text goes along, also on the server. A text that the new place has already is kept too.
 */
import type { Draft } from '@parley/client/realm'
import { effect, type Signal, signal } from '@preact/signals'
import type { Chat } from '../realm/chat.js'
import { excessOf } from '../ui/text-limit.js'
import { type Target, targetKey } from './compose-target.js'
import { keepText, readKeptText } from './kept-texts.js'
import { messageLimit, storedText } from './text-file.js'

const PAUSE_MS = 800

/** The text of one compose box. */
export interface Text {
  /** stays the same when the text is moved */
  readonly id: number
  readonly content: Signal<string>
  /** whether a compose box shows the text */
  isShown: boolean
  /** Changes the text. It is saved when the user pauses. */
  edit(content: string): void
  /** Empties the text, because it was sent, and deletes the draft. */
  clear(): void
  /** Saves the text now. */
  save(): void
  /** Saves the text for another conversation from now on. */
  moveTo(target: Target): void
}

const textsOf = new WeakMap<Chat, Map<string, Text>>()

/** The text for a conversation: that of its draft at first. */
export const openText = (chat: Chat, target: Target): Text => {
  const texts = textsOf.get(chat) ?? new Map<string, Text>()
  textsOf.set(chat, texts)
  const key = targetKey(chat, target)
  const text = texts.get(key) ?? createText(chat, target)
  texts.set(key, text)
  return text
}

/** Returns an empty text for a conversation that is not chosen yet. What was written without one stays another text. */
export const openNewText = (chat: Chat, target: Target): Text => createText(chat, target, true)

/** Moves the text of a topic to another topic. If both have a text, the one that is shown takes the other in. */
export const moveText = (chat: Chat, from: Target, to: Target): void => {
  const texts = textsOf.get(chat) ?? new Map<string, Text>()
  textsOf.set(chat, texts)
  const [fromKey, toKey] = [targetKey(chat, from), targetKey(chat, to)]
  const find = (key: string, target: Target) => {
    const hasDraft = findDraft(chat, target, undefined, chat.drafts.peek()) !== undefined
    const hasText = hasDraft || readKeptText(chat.ownUserId, key) !== undefined
    return texts.get(key) ?? (hasText ? createText(chat, target) : undefined)
  }
  const moved = find(fromKey, from)
  if (moved === undefined) return
  const other = fromKey === toKey ? undefined : find(toKey, to)
  const [kept, input] = other?.isShown === true ? [other, moved] : [moved, other]
  const content = [other, moved].map((text) => text?.content.peek() ?? '').filter((each) => each.trim() !== '')
  texts.delete(fromKey)
  texts.set(toKey, kept)
  kept.moveTo(to)
  if (input === undefined) return
  input.clear()
  kept.edit(content.join('\n\n'))
}

let textCount = 0

/** @param isNew the text begins without the draft and without what the browser keeps, and is not kept there */
const createText = (chat: Chat, firstTarget: Target, isNew = false): Text => {
  const content = signal('')
  let target = firstTarget
  let savedTarget = firstTarget
  let saved = ''
  let draftId: number | undefined
  let hasSeenDraft = false
  let isSaving = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const write = async (text: string) => {
    const draft = { ...draftPlace(target), content: text, timestamp: Math.floor(Date.now() / 1000) }
    if (text.trim() === '') {
      if (draftId !== undefined) await chat.client.call('DELETE /drafts/{draft_id}', { draft_id: draftId })
      draftId = undefined
    } else if (draftId === undefined) {
      draftId = (await chat.client.call('POST /drafts', { drafts: [draft] })).ids[0]
      hasSeenDraft = draftId !== undefined && chat.drafts.peek().has(draftId)
    } else await chat.client.call('PATCH /drafts/{draft_id}', { draft_id: draftId, draft })
  }
  const isTooLong = (text: string) => excessOf(storedText(text), messageLimit(chat)) > 0
  const keep = (text: string) => !isNew && keepText(chat.ownUserId, targetKey(chat, target), text)
  const save = async () => {
    clearTimeout(timer)
    if (isSaving || chat.settings.peek().enable_drafts_synchronization === false) return
    isSaving = true
    try {
      while (content.peek() !== saved || target !== savedTarget) {
        const [text, place] = [content.peek(), target]
        if (isTooLong(text)) return
        await write(text)
        saved = text
        savedTarget = place
      }
      keep('')
    } catch {
      // The draft may be gone, or the page offline: the next change saves the text again.
      if (draftId !== undefined && !chat.drafts.peek().has(draftId)) draftId = undefined
    } finally {
      isSaving = false
    }
  }

  const kept = isNew ? undefined : readKeptText(chat.ownUserId, targetKey(chat, target))
  if (kept !== undefined) {
    const draft = findDraft(chat, target, undefined, chat.drafts.peek())
    draftId = draft?.id
    saved = draft?.content ?? ''
    // Another browser may have saved the text since.
    const isNewer = draft === undefined || kept.timestamp >= draft.timestamp || isTooLong(kept.content)
    content.value = isNewer ? kept.content : saved
    if (isNewer) timer = setTimeout(save, PAUSE_MS)
    else keep('')
  }

  effect(() => {
    const drafts = chat.drafts.value
    const draft = isNew && draftId === undefined ? undefined : findDraft(chat, target, draftId, drafts)
    if (draft !== undefined) hasSeenDraft = true
    if (isSaving || content.peek() !== saved) return
    if (draft === undefined && (draftId === undefined || !hasSeenDraft)) return
    draftId = draft?.id
    saved = draft?.content ?? ''
    content.value = saved
  })

  textCount += 1
  return {
    id: textCount,
    content,
    isShown: false,
    edit(text) {
      content.value = text
      keep(text)
      clearTimeout(timer)
      timer = setTimeout(save, PAUSE_MS)
    },
    clear() {
      content.value = ''
      keep('')
      void save()
    },
    save: () => void save(),
    moveTo(place) {
      keep('')
      target = place
      if (content.peek() !== saved) keep(content.peek())
      void save()
    },
  }
}

const findDraft = (
  chat: Chat,
  target: Target,
  id: number | undefined,
  drafts: ReadonlyMap<number, Draft>,
): Draft | undefined => {
  if (id !== undefined) return drafts.get(id)
  const key = targetKey(chat, target)
  const own = [...drafts.values()].filter((draft) => targetKey(chat, draftTarget(draft)) === key)
  return own.sort((one, other) => other.timestamp - one.timestamp)[0]
}

const draftPlace = (target: Target): Pick<Draft, 'type' | 'to' | 'topic'> => {
  if (target.kind === 'direct') return { type: 'private', to: [...target.userIds], topic: '' }
  if (target.channelId === undefined) return { type: '', to: [], topic: target.topic }
  return { type: 'stream', to: [target.channelId], topic: target.topic }
}

/** Where the message of a draft would go. */
export const draftTarget = ({ type, to, topic }: Draft): Target =>
  type === 'private' ? { kind: 'direct', userIds: to } : { kind: 'topic', channelId: to[0], topic }
