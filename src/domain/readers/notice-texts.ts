/**
 * The texts of notices: messages in Markdown that the server itself writes.
 *
 * 1. A notice is in the language of its organization, because many users read it.
 * 2. A mention or a link to a channel is one in every language. Markdown has none directly after a Latin letter, such
 *    as that of an article: a space goes in between.
 * 3. A notice that is found again is found in every language: the organization may have changed its own since.
 */
import { languages, pseudoLanguage } from '#rules/languages.js'
import type { Texts, TextValues } from '#rules/texts.js'
import { textsIn } from '../languages/texts.js'
import type { RealmState } from '../log/state.js'
import { canPrecedeMention } from '../markdown/inline/mentions.js'
import { joinNames, organizationTexts } from './reader-texts.js'

/** What a text cannot contain, because Postgres stores none of it. */
const MARK = '\0'

/** The texts of notices of an organization (1). */
export const noticeTexts = (state: RealmState): Texts => keepMentions(organizationTexts(state))

/** The same texts, with room before their mentions (2). */
const keepMentions = (texts: Texts): Texts => {
  const text = (message: string, values?: TextValues): string => {
    if (values === undefined) return texts(message)
    const marked = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? mark(value) : value,
    ])
    return makeRoom(texts(message, Object.fromEntries(marked)))
  }
  return Object.assign(text, { rich: texts.rich, language: texts.language })
}

const mark = (value: string): string => value.replace(/^(?=@_?\*|#\*\*)/, MARK)

const makeRoom = (text: string): string => {
  const [first = '', ...others] = text.split(MARK)
  return others.reduce((before, after) => {
    const isRoom = canPrecedeMention(`${before}${after}`, before.length)
    return `${before}${isRoom ? '' : ' '}${after}`
  }, first)
}

/** Mentions and links to channels as a list (2). */
export const joinMentions = (t: Texts, mentions: readonly string[]): string =>
  makeRoom(joinNames(t, mentions.map(mark)))

/** Whether a message is a notice with this text, in any language (3). @param names of the values of the text */
export const isNotice = (content: string, message: string, names: readonly string[]): boolean => {
  const forms = noticeForms.get(message) ?? listForms(message, names)
  noticeForms.set(message, forms)
  return forms.some((parts) => consistsOf(content, parts))
}

/** By its text in English, the parts of a notice between its values, in each language. */
const noticeForms = new Map<string, readonly (readonly string[])[]>()

const listForms = (message: string, names: readonly string[]): readonly (readonly string[])[] => {
  const values = Object.fromEntries(names.map((name) => [name, MARK]))
  return [...Object.keys(languages), pseudoLanguage].map((language) => textsIn(language)(message, values).split(MARK))
}

/** Whether a content has these parts one after another, from its beginning to its end. */
const consistsOf = (content: string, parts: readonly string[]): boolean => {
  const [first = '', ...others] = parts
  const last = others.pop() ?? ''
  let end = first.length
  for (const part of others) {
    const found = content.indexOf(part, end)
    if (found === -1) return false
    end = found + part.length
  }
  return content.startsWith(first) && content.endsWith(last) && content.length - last.length >= end
}
