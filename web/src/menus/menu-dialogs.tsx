/** What asks before an action of a menu that cannot be taken back, and the actions on a topic that have dialogs. */
import { FailureNote, useAction } from '../forms/action.js'
import { ActionDialogs } from '../messages/actions/action-dialogs.js'
import { useChat } from '../realm/chat.js'
import { channelName, topicName } from '../realm/names.js'
import { view } from '../routing/location.js'
import { Dialog } from '../ui/dialog.js'
import { say } from '../ui/status-line.js'
import { leaveChannel } from './channel-entries.js'
import { type MenuDialog, menuDialog } from './menu-dialog.js'

/** Shows the dialog that is open. */
export const MenuDialogs = () => {
  const opened = menuDialog.value
  return (
    <>
      {opened?.name === 'delete-topic' && <DeleteTopicDialog {...opened} />}
      {opened?.name === 'leave-channel' && <LeaveChannelDialog {...opened} />}
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
  const remove = async () => {
    // Many messages are deleted by jobs: the call is made again until they are done.
    for (let isComplete = false; !isComplete; ) {
      const call = chat.client.call('POST /streams/{stream_id}/delete_topic', {
        stream_id: channelId,
        topic_name: topic,
      })
      isComplete = (await call).complete
    }
    say({ text: `${name} was deleted.` })
  }
  return (
    <ConfirmDialog title="Delete the topic?" confirmLabel="Delete the topic" onConfirm={remove}>
      <p>
        All messages of <bdi>{name}</bdi> are deleted for everyone. They cannot be restored.
      </p>
    </ConfirmDialog>
  )
}

const LeaveChannelDialog = ({ channelId }: Extract<MenuDialog, { name: 'leave-channel' }>) => {
  const chat = useChat()
  return (
    <ConfirmDialog
      title="Leave the channel?"
      confirmLabel="Leave the channel"
      onConfirm={() => leaveChannel(chat, channelId, false)}
    >
      <p>
        You cannot come back to <bdi>#{channelName(chat, channelId)}</bdi> by yourself: someone in it has to add you.
      </p>
    </ConfirmDialog>
  )
}

interface ConfirmDialogProps {
  title: string
  confirmLabel: string
  onConfirm: () => Promise<void>
  children: preact.ComponentChildren
}

const ConfirmDialog = ({ title, confirmLabel, onConfirm, children }: ConfirmDialogProps) => {
  const action = useAction()
  const { isBusy, error } = action.state.value
  const confirm = async () => {
    if (await action.run(onConfirm)) close()
  }
  return (
    <Dialog title={title} onClose={close}>
      {children}
      <FailureNote reason={error} />
      <div class="dialog-buttons">
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
        <button type="button" class="button button-danger" disabled={isBusy} onClick={confirm}>
          {confirmLabel}
        </button>
      </div>
    </Dialog>
  )
}
