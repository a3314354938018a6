/** The dialog with the versions of a message, newest first. */

import type { Message, Result } from '@parley/client'
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { errorText } from '../../languages/error-text.js'
import { t } from '../../languages/t.js'
import { type Chat, useChat } from '../../realm/chat.js'
import { channelName, topicName } from '../../realm/names.js'
import { Boundary } from '../../ui/boundary.js'
import { Dialog } from '../../ui/dialog.js'
import { formatFullTime } from '../../ui/times.js'
import { UserName } from '../../ui/user-name.js'
import { useMentions } from '../parts/mentions.js'
import { isActionHtml, SentText } from '../parts/sent-text.js'
import { endAction } from './open-action.js'

type Version = Result<'GET /messages/{message_id}/history'>['message_history'][number]

/** Shows the dialog. */
export const HistoryDialog = ({ message }: { message: Message }) => {
  const chat = useChat()
  const mentions = useMentions(chat)
  const versions = useSignal<readonly Version[] | undefined>(undefined)
  const failure = useSignal('')
  useEffect(() => {
    chat.client
      .call('GET /messages/{message_id}/history', { message_id: message.id, allow_empty_topic_name: true })
      .then(({ message_history: history }) => {
        versions.value = history.toReversed()
      })
      .catch((error: Error) => {
        failure.value = errorText(error)
      })
  }, [message.id])
  return (
    <Dialog title={t('History of the message')} onClose={endAction}>
      {failure.value !== '' && <p class="error-note">{failure.value}</p>}
      {versions.value === undefined && failure.value === '' && <p class="soft-text">{t('Loading…')}</p>}
      <ol class="history-list">
        {versions.value?.map((version, index) => (
          <li key={`${version.timestamp}-${index}`}>
            <p class="soft-text">{describe(chat, version, index === (versions.value?.length ?? 0) - 1)}</p>
            <div class="action-quote">
              <Boundary note={t('This version cannot be shown.')}>
                <SentText
                  senderId={message.sender_id}
                  html={shownHtml(version)}
                  isAction={isActionHtml(shownHtml(version))}
                  mentions={mentions}
                />
              </Boundary>
            </div>
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

/** The text with the words that the version added and removed. Marks would break a formula, which has none. */
const shownHtml = ({ content_html_diff: marked, rendered_content: html }: Version): string =>
  marked === undefined || marked.includes('katex') ? html : marked

/** Who made the version, what it changed, and when. A text never changes together with the channel. */
const describe = (chat: Chat, version: Version, isFirst: boolean): (string | VNode)[] => {
  const user = version.user_id === null ? t('The server') : <UserName userId={version.user_id} />
  const time = formatFullTime(new Date(version.timestamp * 1000))
  const { prev_content: content, prev_topic: formerTopic, prev_stream: formerChannel } = version
  const topic = formerTopic === undefined ? '' : topicName(chat, formerTopic)
  if (isFirst) return t.rich('{user} sent this on {time}', {}, { user, time })
  if (formerChannel !== undefined) {
    const channel = channelName(chat, formerChannel)
    return formerTopic === undefined
      ? t.rich('{user} moved it from #{channel} on {time}', {}, { user, channel, time })
      : t.rich(
          '{user} moved it from “{topic}” and moved it from #{channel} on {time}',
          {},
          { user, topic, channel, time },
        )
  }
  if (formerTopic === undefined) return t.rich('{user} edited the text on {time}', {}, { user, time })
  return content === undefined
    ? t.rich('{user} moved it from “{topic}” on {time}', {}, { user, topic, time })
    : t.rich('{user} edited the text and moved it from “{topic}” on {time}', {}, { user, topic, time })
}
