/**
 * A list of messages that scrolls in both directions without jumps, however many there are.
 *
 * 1. Only a slice of the loaded messages is in the page (slice.ts). It grows before its end is in sight.
 * 2. The anchor (list-scroller.ts) is measured before each change of the page, and restored after it and after each
 *    change of a height: messages that appear, leave or change their size above it do not move what the user reads, and
 *    nothing but a scroll takes a user from the end.
 * 3. A message whose end was in sight while the page had the focus is reported as read.
 */

import type { Message } from '@parley/client'
import type { Signal } from '@preact/signals'
import { Component, type ComponentChildren } from 'preact'
import { t } from '../languages/t.js'
import type { OpenWindow } from '../realm/chat.js'
import { FOLD_EVENT, type FoldEvent } from './fold.js'
import { type Anchor, ListScroller } from './list-scroller.js'
import { MessageArticle } from './message-article.js'
import { arrangeMessages } from './message-rows.js'
import { hasFlag } from './parts/flags.js'
import {
  followsNewest,
  growDistance,
  growDown,
  growUp,
  maxRows,
  newestSlice,
  type Slice,
  sliceAround,
  slicePositions,
} from './slice.js'

/**
 * Where a list opens. `offset`: pixels between the upper edge and the message, which is in the upper half without it.
 */
export type Target = { id: number; isHighlighted: boolean; offset?: number } | 'newest'

/** What of the end of a list the user has seen. */
export interface SeenEnd {
  isInSight: boolean
  /** the newest message that was in sight */
  lastId: number
}

/** Before anything is shown. */
export const unseenEnd: SeenEnd = { isInSight: true, lastId: 0 }

interface MessageListProps {
  window: OpenWindow
  target: Target
  firstUnreadId: number | undefined
  /** the list has several conversations, so each has a bar with its name */
  isMixed: boolean
  /** the topic is not named, because all messages of the list share it */
  label: string
  onRead: (message: Message) => void
  /** Is called with what the user reads, when that changes. */
  onPlace: (anchor: Anchor) => void
  /** is set to what the user has seen of the end */
  end: Signal<SeenEnd>
  /** refers to the list while it is shown; Preact gives a `ref` to a class only as a property */
  listRef: { current: MessageList | null }
  /** what follows the newest message: messages on their way */
  children?: ComponentChildren
}

interface MessageListState {
  slice: Slice
  selectedId: number | undefined
}

/** No message: what is in sight is measured anew. */
const NOWHERE: Anchor = { id: 0, offset: 0 }

/** A message that was in sight for a part of this time is read. */
const READ_MS = 200

/** The list of the messages in an open window. */
export class MessageList extends Component<MessageListProps, MessageListState> {
  #list = new ListScroller()
  #anchor: Anchor = 'end'
  #target: Target | undefined
  #frame = 0
  #stopListening: (() => void) | undefined
  /** whether the end of the list in the page is the newest message of its narrow */
  #canFollow = false
  #isLoading = false
  /** of the state, before it is drawn */
  #selectedId: number | undefined
  #readTimer: ReturnType<typeof setTimeout> | undefined

  constructor(props: MessageListProps) {
    super(props)
    this.#target = props.target
    this.state = { slice: this.#firstSlice(props), selectedId: undefined }
  }

  #firstSlice({ target, window }: MessageListProps): Slice {
    return target === 'newest'
      ? newestSlice
      : sliceAround(window.view.value.messages, target.id, maxRows(this.#list.height))
  }

  override componentDidMount() {
    this.props.listRef.current = this
    this.#stopListening = this.#list.listen(this.#onSize)
    this.#list.content.current?.addEventListener(FOLD_EVENT, this.#onFold)
    document.addEventListener('visibilitychange', this.#onScroll)
    addEventListener('focus', this.#onScroll)
    this.#settle()
  }

  override componentWillUnmount() {
    this.props.listRef.current = null
    this.#stopListening?.()
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#readTimer)
    document.removeEventListener('visibilitychange', this.#onScroll)
    removeEventListener('focus', this.#onScroll)
  }

  override componentDidUpdate(previous: MessageListProps, _: MessageListState, anchor: Anchor) {
    if (previous.target !== this.props.target) this.#target = this.props.target
    this.#anchor = anchor
    this.#settle()
  }

  override getSnapshotBeforeUpdate(): Anchor {
    return this.#list.measureScroll(this.#anchor, this.#canFollow)
  }

  /** Shows a message that is loaded, and gives it the focus. */
  show(id: number, { isHighlighted = true } = {}): void {
    this.#target = { id, isHighlighted }
    this.setState({ slice: sliceAround(this.props.window.view.value.messages, id, maxRows(this.#list.height)) })
  }

  /** Scrolls to the newest message, and gives it the focus if `isFocused`. It has to be loaded, or about to be. */
  showEnd({ isFocused = false } = {}): void {
    this.#target = 'newest'
    this.#list.endMove()
    this.setState({ slice: newestSlice }, () => isFocused && this.#list.focusLast())
  }

  /** Selects the next (1) or the previous (-1) message, from the one that is read. */
  move(step: 1 | -1): void {
    this.#followReading()
    this.#list.moveFocus(step, this.#selectedId)
  }

  /** The message that the user reads: the selected one if it is in sight. */
  get selected(): Message | undefined {
    this.#followReading()
    const id = this.#selectedId ?? Number(this.#list.read?.dataset.id)
    return this.props.window.view.value.messages.find((message) => message.id === id)
  }

  /** The selected message that was scrolled out of sight is replaced by one in sight, which gets its focus too. */
  #followReading(): void {
    if (this.#selectedId === undefined) return
    const next = this.#list.replaceUnseen(this.#selectedId)
    if (next === undefined) return
    const focused = document.activeElement
    const isSelectedFocused = focused === this.#list.article(this.#selectedId)
    this.#select(Number(next.dataset.id))
    if (isSelectedFocused || focused === document.body) next.focus({ preventScroll: true })
  }

  #select(selectedId: number | undefined): void {
    this.#selectedId = selectedId
    if (selectedId !== this.state.selectedId) this.setState({ selectedId })
  }

  /** After a change of the page: goes to the target or restores the anchor, then grows the slice. */
  #settle(): void {
    this.#canFollow = followsNewest(this.state.slice) && this.props.window.view.value.hasNewest
    if (this.#target === undefined) this.#list.restore(this.#anchor)
    else {
      const isEnd = this.#target === 'newest'
      if (this.#goToTarget(this.#target)) this.#target = undefined
      this.#anchor = isEnd ? 'end' : NOWHERE
    }
    this.#anchor = this.#list.measureAtRest(this.#anchor, this.#canFollow)
    this.#afterScroll()
  }

  #goToTarget(target: Target): boolean {
    if (target === 'newest') return this.#list.restore('end') && this.#canFollow
    const { id, isHighlighted, offset = this.#list.height / 4 } = target
    const isShown = this.#list.restore({ id, offset })
    if (isShown && isHighlighted) this.#list.article(id)?.focus({ preventScroll: true })
    return isShown
  }

  #onScroll = (): void => {
    if (this.#list.isMovedUp) this.#target = undefined
    this.#anchor = this.#list.measureScroll(this.#anchor, this.#canFollow)
    this.#afterScroll()
  }

  /** A message opens below its begin, also for a user at the end. When it closes, its begin comes into sight. */
  #onFold = (event: Event): void => {
    const { target, detail } = event as FoldEvent
    const article = target.closest<HTMLElement>('article[data-id]')
    const offset = article === null ? undefined : this.#list.offset(article)
    if (article === null || offset === undefined) return
    this.#target = undefined
    this.#anchor = {
      id: Number(article.dataset.id),
      offset: detail.isOpening ? offset - detail.shift : Math.max(0, offset),
    }
  }

  #onSize = (): void => {
    this.#list.restore(this.#anchor)
    this.#anchor = this.#list.measureAtRest(this.#anchor, this.#canFollow)
    this.#afterScroll()
  }

  #afterScroll(): void {
    this.props.window.setReading(this.#anchor === 'end' ? undefined : this.#anchor.id)
    this.props.onPlace(this.#anchor)
    this.#noteEnd()
    this.#grow()
    this.#readTimer ??= setTimeout(() => {
      this.#readTimer = undefined
      this.#followReading()
      this.#reportRead()
    }, READ_MS)
  }

  #noteEnd(): void {
    const { end } = this.props
    const before = end.peek()
    const isInSight = this.#canFollow ? this.#anchor === 'end' || this.#list.hasEnd : this.#isEmpty
    const lastId = Math.max(before.lastId, this.#list.lastSeen)
    if (isInSight !== before.isInSight || lastId !== before.lastId) end.value = { isInSight, lastId }
  }

  get #isEmpty(): boolean {
    return this.props.window.view.value.messages.length === 0
  }

  #grow(): void {
    const { rest, height } = this.#list
    if (rest === undefined) return
    const { window } = this.props
    const { slice } = this.state
    const messages = window.view.value.messages
    const rows = maxRows(height)
    const distance = growDistance(height)
    const [start, end] = slicePositions(messages, slice, rows)
    if (rest.above < distance && start > 0) this.setState({ slice: growUp(messages, slice, rows) })
    else if (rest.below < distance && !followsNewest(slice)) this.setState({ slice: growDown(messages, slice, rows) })
    else if (rest.below >= distance && followsNewest(slice) && messages.length > 0) {
      // Far from the end: new messages stay out of the page until the user comes closer.
      this.setState({ slice: { first: messages[start]?.id ?? 0, last: messages[end - 1]?.id ?? 0 } })
    }
    const { hasOldest, hasNewest } = window.view.value
    if (rest.above < distance && start === 0 && !hasOldest) this.#load(() => window.loadOlder())
    else if (rest.below < distance && end === messages.length && !hasNewest) this.#load(() => window.loadNewer())
  }

  #load(load: () => Promise<unknown>): void {
    if (this.#isLoading) return
    this.#isLoading = true
    load()
      .catch(() => undefined)
      .finally(() => {
        this.#isLoading = false
        // By then the signal has what was loaded.
        this.#frame = requestAnimationFrame(this.#onScroll)
      })
  }

  #reportRead(): void {
    if (document.visibilityState !== 'visible' || !document.hasFocus()) return
    for (const message of this.#slice()) {
      if (!hasFlag(message, 'read') && this.#list.hasEndInSight(message.id)) this.props.onRead(message)
    }
  }

  #slice(): readonly Message[] {
    const messages = this.props.window.view.value.messages
    return messages.slice(...slicePositions(messages, this.state.slice, maxRows(this.#list.height)))
  }

  #onFocusIn = (event: FocusEvent): void => {
    const article = (event.target as Element).closest<HTMLElement>('article[data-id]')
    this.#select(article === null ? undefined : Number(article.dataset.id))
  }

  override render(
    { window, firstUnreadId, isMixed, label, children }: MessageListProps,
    { selectedId }: MessageListState,
  ) {
    const rows = arrangeMessages(this.#slice(), firstUnreadId)
    return (
      <section
        class="message-scroller"
        ref={this.#list.scroller}
        onScroll={this.#onScroll}
        onFocusIn={this.#onFocusIn}
        aria-label={label}
        tabIndex={-1}
      >
        <div class="message-content" ref={this.#list.content}>
          {!window.view.value.hasOldest && <p class="message-list-note">{t('Loading older messages…')}</p>}
          {window.view.value.hasOldest && rows.length > 0 && (
            <p class="message-list-note">{t('This is the beginning.')}</p>
          )}
          {rows.map(({ message, startsConversation, startsDay, startsSender, isFirstUnread }, index) => (
            <MessageArticle
              key={message.id}
              message={message}
              hasBar={isMixed && (startsConversation || startsDay)}
              hasDay={startsDay}
              hasSender={startsSender}
              isFirstUnread={isFirstUnread}
              isSelected={message.id === selectedId}
              canFocus={selectedId === undefined ? index === rows.length - 1 : message.id === selectedId}
            />
          ))}
          {window.view.value.hasNewest && children}
        </div>
      </section>
    )
  }
}
