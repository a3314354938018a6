/** The mail with the messages that a user missed. */
import type { MessageObject } from '../message.js'

export interface MissedMail {
  realm_name: string
  realm_url: string
  /** whether the subject begins with the organization's name */
  names_realm: boolean
  /** whose setting withholds the texts; undefined when the mail contains them */
  withheld: 'organization' | 'person' | undefined
}

/** A message of the mail, and its link relative to the organization's address. */
export interface MissedMessage {
  message: Pick<MessageObject, 'sender_full_name' | 'content' | 'timestamp'>
  /** identifies the conversation: two conversations may have the same name */
  thread: string
  /** channel and topic, or the names of the others */
  place: string
  isDirect: boolean
  link: string
}

/** @param missed at least one, the oldest first */
export const composeMissedMail = (
  { realm_name, realm_url, names_realm, withheld }: MissedMail,
  missed: readonly MissedMessage[],
): { subject: string; text: string } => {
  const threads = new Map<string, MissedMessage[]>()
  for (const message of missed) threads.set(message.thread, [...(threads.get(message.thread) ?? []), message])
  const parts = [...threads.values()].map((messages) => formatThread(messages, realm_url, withheld === undefined))
  const left = withheld && reasons[withheld]
  const text = [
    ...parts,
    ...(left === undefined ? [] : [left]),
    `You get this because you were away. Which messages come by mail is among your notification settings:\n${realm_url}/#settings/notifications`,
  ]
  const subject = mailSubject([...threads.values()])
  return { subject: names_realm ? `[${realm_name}] ${subject}` : subject, text: `${text.join('\n\n')}\n` }
}

const reasons = {
  organization: 'Your organization keeps what is written out of mails: open the links to read it.',
  person: 'You keep what is written out of mails: open the links to read it.',
}

const mailSubject = (threads: readonly (readonly MissedMessage[])[]): string => {
  if (threads.length > 1) return `Messages in ${threads.length} conversations`
  const { place = '', isDirect } = threads[0]?.[0] ?? {}
  return isDirect === true ? `Messages from ${place}` : place
}

const formatThread = (messages: readonly MissedMessage[], realm_url: string, isShown: boolean): string => {
  const { place = '', isDirect, link = '' } = messages[0] ?? {}
  const lines = messages.map(({ message: { sender_full_name, content, timestamp } }) => {
    const who = `${sender_full_name}, ${formatTime(timestamp)}`
    return isShown ? `${who}:\n\n${indent(content)}` : who
  })
  const heading = isDirect === true ? `With ${place}` : place
  return `${heading}\n${realm_url}/${link}\n\n${lines.join('\n\n')}`
}

const formatTime = (timestamp: number): string =>
  `${new Date(timestamp * 1_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ')
