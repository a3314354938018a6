/** Short texts that people give to things: which characters a name may hold, and how a description is shown. */

import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { renderInline } from '../markdown/render.js'
import { buildRenderContext } from './message-render-context.js'

/** Where the first character stands that no name may hold, counted from 1; 0: there is none. */
export const findUnprintable = (name: string): number => [...name].findIndex((point) => !isPrintable(point)) + 1

const isPrintable = (point: string): boolean => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{NChar}]/u.test(point)

/** A description stands on one line, without control characters. */
export const joinLines = (description: string): string => description.replace(/\r\n|\p{Cc}/gu, ' ')

/** A description as HTML. Whoever may write one knows everyone, so every mention is found. */
export const renderDescription = (state: RealmState, author: UserRow, description: string): string => {
  if (description === '') return ''
  return renderInline(description, buildRenderContext(state, author, { realm_url: undefined, isKnown: () => true }))
}
