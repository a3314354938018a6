/** The rules for names and descriptions of channels, folders and groups: allowed characters, and rendering. */

import type { UserRow } from '../log/rows.js'
import type { RealmState } from '../log/state.js'
import { renderInline } from '../markdown/render.js'
import { buildRenderContext } from './message-render-context.js'

/**
 * Finds the first character that a name cannot contain. Returns its position, counted from 1, or 0 if there is none.
 */
export const findUnprintable = (name: string): number => [...name].findIndex((point) => !isPrintable(point)) + 1

const isPrintable = (point: string): boolean => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{NChar}]/u.test(point)

/** Returns a description as one line. Each line end and control character becomes a space. */
export const joinLines = (description: string): string => description.replace(/\r\n|\p{Cc}/gu, ' ')

/** Renders a description as HTML. A user who can write one can see all users, so every mention is rendered. */
export const renderDescription = (state: RealmState, author: UserRow, description: string): string => {
  if (description === '') return ''
  return renderInline(description, buildRenderContext(state, author, { realm_url: undefined, isKnown: () => true }))
}
