/** What asks before an action of a menu that cannot be taken back, and the actions on a topic that have dialogs. */

import type { ComponentChildren, JSX } from 'preact'
import { FailureNote, useAction } from '../forms/action.js'
import { t } from '../languages/t.js'
import { ActionDialogs } from '../messages/actions/action-dialogs.js'
import { useChat } from '../realm/chat.js'
import { channelName, topicName } from '../realm/names.js'
import { view } from '../routing/location.js'
import { Dialog } from '../ui/dialog.js'
import { useLoaded } from '../ui/use-loaded.js'
import { leaveChannel } from './channel-entries.js'
import { DeletionLines } from './deletion-lines.js'
import { type MenuDialog, menuDialog } from './menu-dialog.js'
import { countMessages, deleteTopic, MOST_COUNTED } from './topic-deletions.js'

/** Shows the dialog that is open. */
export const MenuDialogs = () => {
  const opened = menuDialog.value
  return (
    <>
      {opened?.name === 'delete-topic' && <DeleteTopicDialog {...opened} />}
      {opened?.name === 'leave-channel' && <LeaveChannelDialog {...opened} />}
      <DeletionLines />
      {/* The view of messages shows them itself. */}
      {view.value.name !== 'messages' && <ActionDialogs />}
    </>
  )
}

const close = (): void => {
  menuDialog.value = undefined
}

const DeleteTopicDialog = ({ channelId, topic }: Extract<MenuDialog, { name: 'delete-topic' }>) => {
  const chat = useChat()
  const name = `#${channelName(chat, channelId)} › ${topicName(chat, topic)}`
  const count = useLoaded<number | 'unknown' | undefined>(() => countMessages(chat, { channelId, topic }), 'unknown')
  const remove = () => {
    close()
    void deleteTopic(chat, { channelId, topic }, count === 'unknown' ? undefined : count)
  }
  return (
    <ConfirmDialog title={t('Delete the topic?')} confirmLabel={t('Delete the topic')} onConfirm={remove}>
      <p>{describeDeletion(<bdi>{name}</bdi>, count)}</p>
    </ConfirmDialog>
  )
}

/** @param count of the messages of the topic; undefined: more than are counted */
const describeDeletion = (name: JSX.Element, count: number | 'unknown' | undefined) => {
  if (count === 'unknown') {
    return t.rich('{name} is deleted for everyone. Administrators can restore it within 30 days.', {}, { name })
  }
  return count === undefined
    ? t.rich(
        '{name} is deleted for everyone, with more than {count, plural, one {# message} other {# messages}}. Administrators can restore it within 30 days.',
        {},
        { name, count: MOST_COUNTED },
      )
    : t.rich(
        '{name} is deleted for everyone, with its {count, plural, one {message} other {# messages}}. Administrators can restore it within 30 days.',
        {},
        { name, count },
      )
}

const LeaveChannelDialog = ({ channelId }: Extract<MenuDialog, { name: 'leave-channel' }>) => {
  const chat = useChat()
  return (
    <ConfirmDialog
      title={t('Leave the channel?')}
      confirmLabel={t('Leave the channel')}
      onConfirm={() => leaveChannel(chat, channelId, false)}
    >
      <p>
        {t.rich(
          'You cannot come back to {channel} by yourself: someone in it has to add you.',
          {},
          { channel: <bdi>#{channelName(chat, channelId)}</bdi> },
        )}
      </p>
    </ConfirmDialog>
  )
}

interface ConfirmDialogProps {
  title: string
  confirmLabel: string
  onConfirm: () => unknown
  children: ComponentChildren
}

const ConfirmDialog = ({ title, confirmLabel, onConfirm, children }: ConfirmDialogProps) => {
  const action = useAction()
  const { isBusy, error } = action.state.value
  const confirm = async () => {
    if (await action.run(async () => onConfirm())) close()
  }
  return (
    <Dialog title={title} onClose={close}>
      {children}
      <FailureNote reason={error} />
      <div class="dialog-buttons">
        <button type="button" class="button" onClick={close}>
          {t('Cancel')}
        </button>
        <button type="button" class="button button-danger" disabled={isBusy} onClick={confirm}>
          {confirmLabel}
        </button>
      </div>
    </Dialog>
  )
}
