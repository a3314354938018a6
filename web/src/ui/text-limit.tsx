/**
 * How long the text of a field may be.
 *
 * 1. The page never cuts a text. Near the limit a counter appears, and above it the counter says how much is too much.
 * 2. A form with a text above the limit is not sent: the field is invalid, and says why.
 * 3. Lengths count code points, as the server does.
 * 4. Screen readers say the counter after a pause in typing.
 */

import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { t } from '../languages/t.js'
import './text-limit.css'

/** The part of the limit from which on the counter is shown. */
const NEAR = 0.9

const PAUSE_MS = 700

/** The number of code points of a text. */
export const countCharacters = (text: string): number => {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Counts how many characters a text has beyond its limit. It is 0 within the limit, and without one. */
export const excessOf = (text: string, most: number | undefined): number =>
  // A text has at least as many UTF-16 units as code points, so a short one needs no count.
  most === undefined || text.length <= most ? 0 : Math.max(0, countCharacters(text) - most)

/** What is wrong with a text that is too long; empty for any other. */
export const describeExcess = (text: string, most: number | undefined): string => {
  const excess = excessOf(text, most)
  if (most === undefined || excess === 0) return ''
  return t('{count, plural, one {# character too many.} other {# characters too many.}} At most {most, number} fit.', {
    count: excess,
    most,
  })
}

const describeLength = (text: string, most: number | undefined): string => {
  if (most === undefined || text.length < NEAR * most) return ''
  const count = countCharacters(text)
  if (count < NEAR * most) return ''
  return (
    describeExcess(text, most) ||
    t('{count, number} of {most, plural, one {# character} other {# characters}}', { count, most })
  )
}

interface TextLimitProps {
  /** the id of the counter, which describes the field */
  id: string
  field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>
  /** the text as it will be sent */
  text: string
  /** without a limit there is no counter */
  most: number | undefined
}

/** The counter of a field. */
export const TextLimit = ({ id, field, text, most }: TextLimitProps) => {
  const spoken = useSignal('')
  const words = describeLength(text, most)
  const fault = describeExcess(text, most)
  useLayoutEffect(() => {
    field.current?.setCustomValidity(fault)
    if (fault === '') field.current?.removeAttribute('aria-invalid')
    else field.current?.setAttribute('aria-invalid', 'true')
  }, [fault])
  useEffect(() => {
    const timer = setTimeout(() => {
      spoken.value = words
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [words])
  return (
    <>
      <span id={id} class={fault === '' ? 'text-limit' : 'text-limit text-limit-over'} aria-hidden="true">
        {words}
      </span>
      <span class="only-for-screen-readers" role="status">
        {spoken.value}
      </span>
    </>
  )
}
