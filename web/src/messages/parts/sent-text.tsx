import type { ComponentChildren } from 'preact'
import { UserName } from '../../ui/user-name.js'
import type { MentionContext } from '../rendered/enliven.js'
import { RenderedMessage } from '../rendered/rendered-message.js'

interface SentTextProps {
  senderId: number
  /** the name in the message, for a sender who is not known any more */
  name?: string
  html: string
  /** begins with `/me` */
  isAction: boolean
  mentions: MentionContext
  /** follows the name and the text of an action */
  children?: ComponentChildren
}

/** Shows the text of a message. The text of `/me` is told of its sender: “Ada is having lunch”. */
export const SentText = ({ senderId, name, html, isAction, mentions, children }: SentTextProps) =>
  isAction ? (
    <div class="action-text">
      <UserName class="message-sender" userId={senderId}>
        {name}
      </UserName>{' '}
      <RenderedMessage html={html} mentions={mentions} isAction />
      {children}
    </div>
  ) : (
    <RenderedMessage html={html} mentions={mentions} />
  )

/** Whether the HTML of a text is that of an action. */
export const isActionHtml = (html: string): boolean => html.startsWith('<p>/me ')
