/**
 * People, groups and everyone: `@**Ada Low**`, `@*devs*`, `@**all**`.
 *
 * An underscore makes a mention silent, and so does a quote around it: shown, but nobody is told. Whom nobody knows
 * is left for emphasis to show. Source: messages.md 6.4.
 */

import { escapeText } from './escape.js'
import { type InlinePass, type InlineState, insertPlaceholder, source, TextRewriter } from './placeholders.js'
import type { MentionedUser, RenderContext } from './render-context.js'

/** A mention and a `#**` link begin at the start or after one of these. */
export const canPrecedeMention = (text: string, at: number): boolean =>
  at === 0 || /[\s'"({[/<]/.test(text[at - 1] ?? '')

const channelWildcards = new Set(['all', 'everyone', 'stream', 'channel'])
const topicWildcard = 'topic'

/** `@**name**`, `@**name|id**`, `@**|id**` and the wildcards. */
export const renderUserMentions: InlinePass = (text, inline) => renderMentions(text, inline, '**', writeUserMention)

/** `@*name*`. */
export const renderGroupMentions: InlinePass = (text, inline) => renderMentions(text, inline, '*', writeGroupMention)

const renderMentions = (
  text: string,
  inline: InlineState,
  stars: string,
  render: (name: string, silent: boolean, inline: InlineState) => string | undefined,
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
    const name = source(text.slice(start + stars.length, end), inline)
    const html = render(name, silent || inline.quoted, inline)
    if (html === undefined) continue
    rewrite.replace(at, end + stars.length, insertPlaceholder(inline, html, text.slice(at, end + stars.length)))
    at = end + stars.length - 1
  }
  return rewrite.result()
}

const writeUserMention = (
  name: string,
  silent: boolean,
  { context, render_state: findings }: InlineState,
): string | undefined => {
  if (channelWildcards.has(name)) {
    findings.channel_wildcard ||= !silent
    return writeSpan('user-mention channel-wildcard-mention', silent, ' data-user-id="*"', name)
  }
  if (name === topicWildcard) {
    findings.topic_wildcard ||= !silent
    return writeSpan('topic-mention', silent, '', name)
  }
  const user = findUser(name, context)
  if (user === undefined) return undefined
  if (!silent && user.is_active) findings.mentioned_users.add(user.id)
  return writeSpan('user-mention', silent || !user.is_active, ` data-user-id="${user.id}"`, user.full_name)
}

/** Name and id must agree; of several people with one name, the first who is active. */
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

const writeGroupMention = (
  name: string,
  silent: boolean,
  { context, render_state: findings }: InlineState,
): string | undefined => {
  const group = context.groupByName(name)
  if (group === undefined) return undefined
  const quiet = silent || group.deactivated
  if (!quiet) findings.mentioned_groups.add(group.id)
  return writeSpan('user-group-mention', quiet, ` data-user-group-id="${group.id}"`, group.display_name)
}

const writeSpan = (kind: string, silent: boolean, id: string, name: string): string =>
  `<span class="${kind}${silent ? ' silent' : ''}"${id}>${silent ? '' : '@'}${escapeText(name)}</span>`
