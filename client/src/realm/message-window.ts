/**
 * A window of the messages of a narrow.
 *
 * 1. The messages between the first and the last one of the window are all messages of the narrow between them.
 *    (window-view.ts: no transition adds a message beyond an end, except those that arrive next to it.)
 * 2. An answer can be older than an event that arrived before it. So the events that arrive during a request are
 *    applied to its answer too, and the messages that they let into the narrow are fetched. (window-requests.ts keeps
 *    them, window-fetches.ts applies them.)
 * 3. A message stays in the window when only a flag changes, so that messages do not vanish while they are read.
 *    (window-events.ts drops only messages that were moved.)
 * 4. A jump makes the answers to earlier requests void, and its own answer those to requests that were made meanwhile.
 *    (window-requests.ts: phases)
 * 5. No event says which messages a user may see from now on, or not any more, when their rights or subscriptions
 *    change: then the window is fetched again. (`changesAccess` leads to `reload`.) So is a window whose messages are
 *    all deleted or moved away, while the narrow can have others.
 * 6. A window that follows moves shows another topic when the conversation moves there. Its messages stay, and those
 *    that the other topic has already are fetched. (`leadsAway` leads to `follow`.)
 */
import type { Client } from '../client.js'
import type { EventOf, Narrow, Reset } from '../kernel/api.js'
import { createStore } from '../kernel/store.js'
import type { DatedEvent } from './message-changes.js'
import { isSameTopic, type Move, moveNarrow, readMove } from './moves.js'
import type { NarrowContext } from './narrow.js'
import type { MessageWindow, WindowOptions } from './types.js'
import { applyEvents, changesAccess, leadsAway } from './window-events.js'
import {
  arrive,
  extendOnce,
  fetchEntered,
  findTarget,
  ignore,
  jump,
  refresh,
  reload,
  reloadIfEmptied,
  type WindowParts,
} from './window-fetches.js'
import { openRequests } from './window-requests.js'
import { changeMessages, openView } from './window-view.js'

/** A window, and its part of each event. */
export interface OpenWindow extends MessageWindow {
  receive(event: DatedEvent | Reset): void
  /**
   * Fetches the newest messages and those around the place of reading again, for a window of which no events tell.
   * Returns whether any has changed. A failure leaves the window as it is.
   */
  refresh(): Promise<boolean>
}

/** Opens a window. @param onClose is called when the window is closed */
export const openMessageWindow = (
  client: Client,
  context: NarrowContext,
  narrow: Narrow,
  { followsMoves = false }: WindowOptions,
  onClose: (window: OpenWindow) => void,
): OpenWindow => {
  const view = createStore(openView(narrow))
  const requests = openRequests()
  const parts: WindowParts = { client, context, view, requests, reading: undefined, reloading: undefined }
  const window: OpenWindow = {
    get: view.get,
    subscribe: view.subscribe,
    loadOlder: (count) => extendOnce(parts, 'older', count),
    loadNewer: (count) => extendOnce(parts, 'newer', count),
    jumpTo: (target) => jump(parts, target),
    refresh: () => refresh(parts),
    setReading(id) {
      parts.reading = id
    },
    receive: (event) => receive(parts, event, followsMoves),
    close() {
      requests.beginPhase()
      clearTimeout(parts.reloading)
      onClose(window)
    },
  }
  queueMicrotask(() => {
    if (!requests.hasBegun) jump(parts, 'first_unread').catch(ignore)
  })
  return window
}

/** Applies an event, and fetches what only the server knows after it. */
const receive = (window: WindowParts, event: DatedEvent | Reset, followsMoves: boolean): void => {
  const { context, view, requests, reading } = window
  if (event.type === 'reset' || changesAccess(event, context.self.get().user_id)) reload(window)
  if (event.type === 'reset') return
  requests.note(event)
  if (event.type === 'message') {
    if (view.get().hasNewest) arrive(window, [event])
    return
  }
  if (followsMoves && event.type === 'update_message') {
    const move = readMove(event)
    if (move !== undefined && leadsAway(context, view.get(), reading, move)) {
      follow(window, event, move)
      return
    }
  }
  const { narrow, messages } = view.get()
  view.set(changeMessages(view.get(), applyEvents(context, narrow, messages, [event])))
  reloadIfEmptied(window, messages)
  fetchEntered(window, [event])
}

/** Shows another topic from now on. The messages that were moved stay; those that it has already are fetched. */
const follow = (window: WindowParts, event: EventOf<'update_message'>, { from, to }: Move): void => {
  const { context, view } = window
  const narrow = moveNarrow(view.get().narrow, to)
  view.set({ ...view.get(), narrow, messages: applyEvents(context, narrow, view.get().messages, [event]) })
  if (!isSameTopic(from, to)) jump(window, findTarget(window)).catch(ignore)
}
