/** The mail that tells somebody of messages that they missed. */
import type { MessageObject } from '../message.js'

export interface MissedMail {
  realm_name: string
  realm_url: string
  /** whether the name of the organization stands before the subject */
  names_realm: boolean
  /** why the texts are left out; undefined: they are not */
  withheld: 'organization' | 'person' | undefined
}

/** A message of the mail, and where clients show it, below the organization's address. */
export interface MissedMessage {
  message: Pick<MessageObject, 'sender_full_name' | 'content' | 'timestamp'>
  /** the same for all messages of a conversation, and for no other: names may be alike */
  thread: string
  /** channel and topic, or the names of the others */
  place: string
  isDirect: boolean
  link: string
}

/** @param missed at least one, the oldest first */
export const missedMail = (
  { realm_name, realm_url, names_realm, withheld }: MissedMail,
  missed: readonly MissedMessage[],
): { subject: string; text: string } => {
  const threads = new Map<string, MissedMessage[]>()
  for (const one of missed) threads.set(one.thread, [...(threads.get(one.thread) ?? []), one])
  const parts = [...threads.values()].map((messages) => threadText(messages, realm_url, withheld === undefined))
  const left = withheld && reasons[withheld]
  const text = [
    ...parts,
    ...(left === undefined ? [] : [left]),
    `You get this because you were away. Which messages come by mail is among your notification settings:\n${realm_url}/#settings/notifications`,
  ]
  const subject = subjectOf([...threads.values()])
  return { subject: names_realm ? `[${realm_name}] ${subject}` : subject, text: `${text.join('\n\n')}\n` }
}

const reasons = {
  organization: 'Your organization keeps what is written out of mails: open the links to read it.',
  person: 'You keep what is written out of mails: open the links to read it.',
}

const subjectOf = (threads: readonly (readonly MissedMessage[])[]): string => {
  if (threads.length > 1) return `Messages in ${threads.length} conversations`
  const { place = '', isDirect } = threads[0]?.[0] ?? {}
  return isDirect === true ? `Messages from ${place}` : place
}

const threadText = (messages: readonly MissedMessage[], realm_url: string, isShown: boolean): string => {
  const { place = '', isDirect, link = '' } = messages[0] ?? {}
  const lines = messages.map(({ message: { sender_full_name, content, timestamp } }) => {
    const who = `${sender_full_name}, ${timeOf(timestamp)}`
    return isShown ? `${who}:\n\n${indented(content)}` : who
  })
  const heading = isDirect === true ? `With ${place}` : place
  return `${heading}\n${realm_url}/${link}\n\n${lines.join('\n\n')}`
}

const timeOf = (timestamp: number): string =>
  `${new Date(timestamp * 1_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ')
