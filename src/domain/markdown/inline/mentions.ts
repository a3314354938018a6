/**
 * Renders mentions of users, groups and wildcards: `@**Ada Low**`, `@*devs*`, `@**all**`.
 *
 * A mention with an underscore (`@_**Ada Low**`) or inside a quote is silent: it is shown, but it does not flag the
 * message as a mention. A mention of an unknown name is not rendered here, so the emphasis passes render its stars.
 * Directly after the pipe of a table cell only wildcards are mentions, as existing servers decide.
 * Source: protocol/messages.md 6.4.
 */

import { element, escapeText, type Html } from '../../html/html.js'
import { canBegin, signs } from '../../text/characters.js'
import {
  type InlinePass,
  type InlineState,
  insertPlaceholder,
  restoreSource,
  TextRewriter,
} from '../context/placeholders.js'
import type { MentionedUser, RenderContext } from '../context/render-context.js'

const precedesMention = signs(' \t\n\v\f\r\'"({[/<:')

/** Whether a mention or a `#**` link can begin at a position of the text. */
export const canPrecedeMention = (text: string, at: number): boolean => canBegin(text, at, precedesMention)

const channelWildcards = new Set(['all', 'everyone', 'stream', 'channel'])
const topicWildcard = 'topic'
const isWildcard = (name: string): boolean => name === topicWildcard || channelWildcards.has(name)

/** Renders `@**name**`, `@**name|id**`, `@**|id**` and the wildcards. */
export const renderUserMentions: InlinePass = (text, inline) => renderMentions(text, inline, '**', writeUserMention)

/** Renders `@*name*`. */
export const renderGroupMentions: InlinePass = (text, inline) => renderMentions(text, inline, '*', writeGroupMention)

const renderMentions = (
  text: string,
  inline: InlineState,
  stars: string,
  render: (name: string, silent: boolean, inline: InlineState) => Html | undefined,
): string => {
  let at = text.indexOf('@')
  if (at === -1 || !text.includes(stars)) return text
  const rewrite = new TextRewriter(text)
  for (; at !== -1; at = text.indexOf('@', at + 1)) {
    const silent = text[at + 1] === '_'
    const start = at + (silent ? 2 : 1)
    if (!text.startsWith(stars, start) || !canPrecedeMention(text, at)) continue
    const end = text.indexOf('*', start + stars.length)
    if (end <= start + stars.length || !text.startsWith(stars, end)) continue
    const name = restoreSource(text.slice(start + stars.length, end), inline)
    if (at === 0 && inline.touches_pipe && !(stars === '**' && isWildcard(name))) continue
    const html = render(name, silent || inline.quoted, inline)
    if (html === undefined) continue
    rewrite.replace(at, end + stars.length, insertPlaceholder(inline, html, text.slice(at, end + stars.length)))
    at = end + stars.length - 1
  }
  return rewrite.result()
}

/** Returns the tag with which the HTML of a mention of this user begins. A silent mention does not begin with it. */
export const mentionTag = (user_id: number): string => `<span class="user-mention" data-user-id="${user_id}">`

const writeUserMention = (name: string, silent: boolean, { context, render_state }: InlineState): Html | undefined => {
  if (channelWildcards.has(name)) {
    render_state.channel_wildcard ||= !silent
    return writeSpan('user-mention channel-wildcard-mention', silent, name, { user_id: '*' })
  }
  if (name === topicWildcard) {
    render_state.topic_wildcard ||= !silent
    return writeSpan('topic-mention', silent, name, {})
  }
  const user = findUser(name, context)
  if (user === undefined) return undefined
  if (!silent && user.is_active) render_state.mentioned_users.add(user.id)
  return writeSpan('user-mention', silent || !user.is_active, user.full_name, { user_id: `${user.id}` })
}

/** Finds the mentioned user. Name and id must agree. If several users have the name, the first active one is found. */
const findUser = (text: string, context: RenderContext): MentionedUser | undefined => {
  const bar = text.lastIndexOf('|')
  const id = text.slice(bar + 1)
  if (bar !== -1 && /^\d{1,9}$/.test(id)) {
    const user = context.userById(Number(id))
    const name = text.slice(0, bar)
    if (user !== undefined && (name === '' || name.toLowerCase() === user.full_name.toLowerCase())) return user
  }
  const users = context.usersByName(text)
  return users.find((user) => user.is_active) ?? users[0]
}

const writeGroupMention = (name: string, silent: boolean, { context, render_state }: InlineState): Html | undefined => {
  const group = context.groupByName(name)
  if (group === undefined) return undefined
  const quiet = silent || group.deactivated
  if (!quiet) render_state.mentioned_groups.add(group.id)
  return writeSpan('user-group-mention', quiet, group.display_name, { group_id: `${group.id}` })
}

const writeSpan = (
  kind: string,
  silent: boolean,
  name: string,
  { user_id, group_id }: { user_id?: string; group_id?: string },
): Html =>
  element(
    'span',
    { class: silent ? `${kind} silent` : kind, 'data-user-id': user_id, 'data-user-group-id': group_id },
    escapeText(silent ? name : `@${name}`),
  )
