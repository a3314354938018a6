/**
 * The mail with the messages that a user missed: its subject, and its two parts, plain text and HTML. All are in the
 * language of the reader, except for what the messages say.
 */
import { directionOf } from '#rules/languages.js'
import type { Texts } from '#rules/texts.js'
import { element, empty, escapeCode, type Html, html, joinHtml, openTag } from '../../html/html.js'
import type { HtmlNode } from '../../html/html-tree.js'
import { msg, textsIn } from '../../languages/texts.js'
import { completeSafeUrl } from '../../markdown/links/link-urls.js'
import { joinNames } from '../../readers/reader-texts.js'
import type { MessageObject } from '../message.js'
import { composeMailContent, formatTime, type MailReader } from './mail-content.js'
import { writeMailHtml } from './mail-html.js'
import { writeMailText } from './mail-text.js'

export interface MissedMail extends MailReader {
  realm_name: string
  /** whether the subject begins with the organization's name */
  names_realm: boolean
  /** whose setting withholds the texts; undefined when the mail contains them */
  withheld: 'organization' | 'person' | undefined
  /** the page on which the reader turns these mails off without logging in */
  unsubscribe_url: string
}

/** A message of the mail, and its link relative to the organization's address. */
export interface MissedMessage {
  /** `content` is HTML */
  message: Pick<MessageObject, 'sender_full_name' | 'content' | 'timestamp'>
  /** identifies the conversation: two conversations may have the same name */
  thread: string
  /** channel and topic; of a direct message, the names of the others */
  place: string | readonly string[]
  link: string
}

/** @param missed at least one, the oldest first */
export const composeMissedMail = (
  about: MissedMail,
  missed: readonly MissedMessage[],
): { subject: string; text: string; html: string } => {
  const threads = new Map<string, MissedMessage[]>()
  for (const message of missed) threads.set(message.thread, [...(threads.get(message.thread) ?? []), message])
  const t = textsIn(about.language)
  const shown = [...threads.values()].map((messages) => composeThread(t, messages, about))
  const title = mailSubject(t, [...threads.values()])
  const subject = about.names_realm ? `[${about.realm_name}] ${title}` : title
  return { subject, text: composeText(t, shown, about), html: composeHtml(t, subject, shown, about) }
}

const reasons = {
  organization: msg('Your organization keeps what is written out of mails: open the links to read it.'),
  person: msg('You keep what is written out of mails: open the links to read it.'),
}

const mailSubject = (t: Texts, threads: readonly (readonly MissedMessage[])[]): string => {
  if (threads.length > 1) {
    return t('{count, plural, other {Messages in # conversations}}', { count: threads.length })
  }
  const { place = '' } = threads[0]?.[0] ?? {}
  return typeof place === 'string' ? place : t('Messages from {names}', { names: joinNames(t, place) })
}

interface ShownThread {
  heading: string
  url: string
  /** `content` is undefined where it is withheld */
  messages: { sender: string; time: string; content: HtmlNode[] | undefined }[]
}

const composeThread = (t: Texts, messages: readonly MissedMessage[], about: MissedMail): ShownThread => {
  const { place = '', link = '' } = messages[0] ?? {}
  return {
    heading: typeof place === 'string' ? place : t('With {names}', { names: joinNames(t, place) }),
    url: `${about.realm_url}/${link}`,
    messages: messages.map(({ message: { sender_full_name, content, timestamp } }) => ({
      sender: sender_full_name,
      time: formatTime(timestamp, about),
      content: about.withheld === undefined ? composeMailContent(content, about) : undefined,
    })),
  }
}

const settingsUrl = ({ realm_url }: MissedMail): string => `${realm_url}/#settings/notifications`

const composeText = (t: Texts, threads: readonly ShownThread[], about: MissedMail): string => {
  const parts = threads.map(({ heading, url, messages }) => {
    const lines = messages.map(({ sender, time, content }) =>
      content === undefined ? `${sender}, ${time}` : `${sender}, ${time}:\n\n${indent(writeMailText(content))}`,
    )
    return `${heading}\n${url}\n\n${lines.join('\n\n')}`
  })
  const end = [
    ...(about.withheld === undefined ? [] : [t(reasons[about.withheld])]),
    t('You get this because you were away. Which messages come by mail is among your notification settings:\n{link}', {
      link: settingsUrl(about),
    }),
    t('To get no more of these mails:\n{link}', { link: about.unsubscribe_url }),
  ]
  return `${[...parts, ...end].join('\n\n')}\n`
}

const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ')

const composeHtml = (t: Texts, subject: string, threads: readonly ShownThread[], about: MissedMail): Html =>
  html`<!doctype html>
${openTag('html', { lang: t.language, dir: directionOf(t.language) })}
<head><meta charset="utf-8"><title>${escapeCode(subject)}</title></head>
<body>
${joinHtml(threads.map(writeThread))}
<hr>
${about.withheld === undefined ? empty : html`<p>${escapeCode(t(reasons[about.withheld]))}</p>`}
<p>${escapeCode(t('You get this because you were away.'))} ${writeLink(settingsUrl(about), t('Choose which messages come by mail'))} · ${writeLink(about.unsubscribe_url, t('Get no more of these mails'))}</p>
</body>
</html>
`

const writeThread = ({ heading, url, messages }: ShownThread): Html =>
  html`<h3>${writeLink(url, heading)}</h3>
${joinHtml(
  messages.map(
    ({ sender, time, content }) =>
      html`<p><strong>${escapeCode(sender)}</strong>, ${escapeCode(time)}</p>
${content === undefined ? empty : html`<div>${writeMailHtml(content)}</div>\n`}`,
  ),
)}`

const writeLink = (url: string, text: string): Html => element('a', { href: completeSafeUrl(url) }, escapeCode(text))
