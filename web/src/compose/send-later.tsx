/** The button that sends a message later, and its dialog. */

import { useSignal } from '@preact/signals'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { Icon } from '../ui/icon.js'
import { useLoaded } from '../ui/use-loaded.js'
import type { ReadyMessage } from './ready-message.js'

interface SendLaterProps {
  isDisabled: boolean
  /** Calls its argument when nothing is against sending the message. */
  prepare: (schedule: (message: ReadyMessage) => void) => void
  /** Is called when the server has the message. */
  onScheduled: (message: ReadyMessage) => void
}

/** The button. */
export const SendLater = ({ isDisabled, prepare, onScheduled }: SendLaterProps) => {
  const message = useSignal<ReadyMessage | undefined>(undefined)
  const close = () => {
    message.value = undefined
  }
  return (
    <>
      <button
        type="button"
        class="icon-button compose-later"
        aria-label={t('Send later')}
        title={t('Send later')}
        aria-haspopup="dialog"
        disabled={isDisabled}
        onClick={() =>
          prepare((ready) => {
            message.value = ready
          })
        }
      >
        <Icon name="calendar" />
      </button>
      {message.value !== undefined && (
        <LoadedDialog
          message={message.value}
          onClose={close}
          onScheduled={(scheduled) => {
            close()
            onScheduled(scheduled)
          }}
        />
      )}
    </>
  )
}

interface LoadedDialogProps {
  message: ReadyMessage
  onClose: () => void
  onScheduled: (message: ReadyMessage) => void
}

const LoadedDialog = (props: LoadedDialogProps) => {
  const chat = useChat()
  const Content = useLoaded(async () => (await import('./send-later-dialog.js')).SendLaterDialog, undefined)
  return Content === undefined ? null : <Content chat={chat} {...props} />
}
