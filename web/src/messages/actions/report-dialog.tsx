/** The dialog in which the user reports a message to the moderators: why, and what they should know. */

import type { Message } from '@parley/client'
import { useId } from 'preact/hooks'
import { FailureNote } from '../../forms/action.js'
import { TextField } from '../../forms/fields.js'
import { Form, SubmitButton, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { Boundary } from '../../ui/boundary.js'
import { Dialog } from '../../ui/dialog.js'
import { say } from '../../ui/status-line.js'
import { useMentions } from '../parts/mentions.js'
import { SentText } from '../parts/sent-text.js'
import { endAction } from './open-action.js'

/** The server refuses longer descriptions, and a report of this reason without one. */
const MOST = 1_000
const OTHER = 'other'

/** The names of the reasons that the server has, which are English there. */
const reasonNames: Readonly<Record<string, string>> = {
  spam: t('Spam'),
  harassment: t('Harassment'),
  inappropriate: t('Inappropriate content'),
  norms: t('Against the norms of the community'),
  [OTHER]: t('Another reason'),
}

/** Shows the dialog. */
export const ReportDialog = ({ message }: { message: Message }) => {
  const chat = useChat()
  const mentions = useMentions(chat)
  const name = useId()
  const reasons = chat.organization.value.server_report_message_types ?? []
  const form = useForm({
    values: { reason: reasons[0]?.key ?? OTHER, description: '' },
    send: async ({ reason, description }) => {
      await chat.client.call('POST /messages/{message_id}/report', {
        message_id: message.id,
        report_type: reason,
        description: description.trim(),
      })
      endAction()
      say({ text: t('The message was reported to the moderators.') })
    },
  })
  const reason = form.bind('reason')
  return (
    <Dialog title={t('Report the message')} onClose={endAction}>
      <p>{t('The moderators see the message, your reason and your name. The author is not told.')}</p>
      <div class="action-quote">
        <Boundary note={t('This message cannot be shown.')}>
          <SentText
            senderId={message.sender_id}
            html={message.content}
            isAction={message.is_me_message === true}
            mentions={mentions}
          />
        </Boundary>
      </div>
      <Form of={form}>
        <fieldset class="dialog-choices">
          <legend class="field-label">{t('Reason')}</legend>
          {reasons.map(({ key, name: english }) => (
            <label key={key}>
              <input
                type="radio"
                name={name}
                value={key}
                checked={reason.value === key}
                onChange={() => reason.onChange(key)}
              />
              {reasonNames[key] ?? english}
            </label>
          ))}
        </fieldset>
        <TextField
          label={reason.value === OTHER ? t('What is wrong with it') : t('What the moderators should know (optional)')}
          rows={3}
          most={MOST}
          isRequired={reason.value === OTHER}
          {...form.bind('description')}
        />
        <FailureNote reason={form.action.state.value.error} />
        <div class="dialog-buttons">
          <button type="button" class="button" onClick={endAction}>
            {t('Cancel')}
          </button>
          <SubmitButton of={form} label={t('Report')} />
        </div>
      </Form>
    </Dialog>
  )
}
