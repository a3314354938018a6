/**
 * One line over the top of the centre: it says what happened, and offers what the user can do next.
 *
 * 1. A new line replaces the one before it.
 * 2. A line that only tells something disappears by itself, unless the pointer or the focus is on it. A failure, and a
 *    line with a link or a button, stays until the user closes it or uses it.
 */

import { effect, signal } from '@preact/signals'
import type { VNode } from 'preact'
import { errorText } from '../languages/error-text.js'
import { t } from '../languages/t.js'
import { Icon } from './icon.js'
import './status-line.css'

/** What a line says. */
export interface Status {
  /** with parts where a link stands in it (`statusLink`) */
  readonly text: string | readonly (string | VNode)[]
  readonly isFailure?: boolean
  /** follows the text */
  readonly link?: { readonly text: string; readonly href: string }
  /** a button: `Undo`. The line disappears when `run` begins; if it fails, its error is said. */
  readonly action?: { readonly label: string; run(): Promise<unknown> }
}

const SHOWN_MS = 6_000

/** The line that is shown, if any. */
export const status = signal<Status | undefined>(undefined)

const isHeld = signal(false)

/** Says something to the user. */
export const say = (next: Status): void => {
  isHeld.value = false
  status.value = next
}

/** Removes the line; with `said`, only if it is still that one. */
export const endStatus = (said: Status | undefined = status.peek()): void => {
  if (status.peek() === said) status.value = undefined
}

/** Makes the link of a line of a part of its text. The line disappears when the user follows the link. */
export const statusLink =
  (href: string) =>
  (children: (string | VNode)[]): VNode => (
    <a href={href} onClick={() => endStatus()}>
      {children}
    </a>
  )

/** Makes a call whose effect an event shows. Says its failure to the user. */
export const attempt = async (call: Promise<unknown>): Promise<void> => void (await succeeds(call))

/** Makes a call, and says its failure to the user. @returns whether it succeeded */
export const succeeds = async (call: Promise<unknown>): Promise<boolean> => {
  if (status.peek()?.isFailure === true) endStatus()
  try {
    await call
    return true
  } catch (error) {
    say({ text: errorText(error), isFailure: true })
    return false
  }
}

effect(() => {
  const shown = status.value
  if (shown === undefined || isHeld.value || staysShown(shown)) return
  const timer = setTimeout(endStatus, SHOWN_MS, shown)
  return () => clearTimeout(timer)
})

const staysShown = ({ text, isFailure, link, action }: Status): boolean =>
  isFailure === true || typeof text !== 'string' || link !== undefined || action !== undefined

const setHeld = (held: boolean) => () => {
  isHeld.value = held
}

/** Shows the line. It has to be in the page before something is said, so that screen readers read it. */
export const StatusLine = () => {
  const shown = status.value
  return (
    <div class="status-line-place" role="status">
      {shown !== undefined && (
        // biome-ignore lint/a11y/noStaticElementInteractions: The line stays while the pointer is on it; it does nothing.
        <div
          class={shown.isFailure ? 'status-line status-line-failure' : 'status-line'}
          role={shown.isFailure ? 'alert' : undefined}
          onMouseEnter={setHeld(true)}
          onMouseLeave={setHeld(false)}
          onFocusIn={setHeld(true)}
          onFocusOut={setHeld(false)}
        >
          <span class="status-line-text">
            {shown.text}
            {shown.link !== undefined && (
              <>
                {' '}
                <a href={shown.link.href} onClick={() => endStatus(shown)}>
                  {shown.link.text}
                </a>
              </>
            )}
          </span>
          {shown.action !== undefined && (
            <button type="button" class="button" onClick={() => act(shown)}>
              {shown.action.label}
            </button>
          )}
          <button
            type="button"
            class="icon-button"
            aria-label={t('Dismiss')}
            title={t('Dismiss')}
            onClick={() => endStatus(shown)}
          >
            <Icon name="close" size={16} />
          </button>
        </div>
      )}
    </div>
  )
}

const act = (shown: Status): void => {
  endStatus(shown)
  if (shown.action !== undefined) void attempt(shown.action.run())
}
