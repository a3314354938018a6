/** The user's saved snippets: texts that the user inserts into messages. */

import type { SavedSnippet } from '@parley/client/realm'
import { EditableEntry } from '../dialogs/editable-entry.js'
import { readableText } from '../emoji/readable-text.js'
import { ActionStatus, useAction } from '../forms/action.js'
import { TextField } from '../forms/fields.js'
import { Form, FormEnd, useForm } from '../forms/form.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { MAX_SNIPPET_TITLE, sortSnippets } from '../realm/snippets.js'

/** The page "Snippets". */
export const SnippetSettings = () => {
  const chat = useChat()
  const action = useAction()
  const snippets = sortSnippets(chat)
  const remove = ({ id: saved_snippet_id }: SavedSnippet) =>
    action.run(
      () => chat.client.call('DELETE /saved_snippets/{saved_snippet_id}', { saved_snippet_id }),
      t('The snippet was deleted.'),
    )
  return (
    <>
      <p class="soft-text">
        {t('Texts that you write often. A button below the text of a message inserts them. Only you see this list.')}
      </p>
      {snippets.length > 0 && (
        <ul class="dialog-rows" aria-label={t('Snippets')}>
          {snippets.map((snippet) => (
            <EditableEntry
              key={snippet.id}
              name={snippet.title}
              summary={firstLine(readableText(chat, snippet.content))}
              removal={{ label: t('Delete'), confirmLabel: t('Delete {name} now', { name: snippet.title }) }}
              onRemove={() => remove(snippet)}
            >
              <SnippetForm snippet={snippet} />
            </EditableEntry>
          ))}
        </ul>
      )}
      <ActionStatus action={action} />
      <section class="dialog-group" aria-label={t('A new snippet')}>
        <h3>{t('A new snippet')}</h3>
        <SnippetForm />
      </section>
    </>
  )
}

const LONGEST_SUMMARY = 120

const firstLine = (content: string): string => {
  const [line = '', ...others] = content.split('\n')
  const isShortened = others.length > 0 || line.length > LONGEST_SUMMARY
  return isShortened ? `${line.slice(0, LONGEST_SUMMARY)}…` : line
}

const SnippetForm = ({ snippet }: { snippet?: SavedSnippet }) => {
  const { client, organization } = useChat()
  const form = useForm({
    values: { title: snippet?.title ?? '', content: snippet?.content ?? '' },
    send: (values) =>
      snippet === undefined
        ? client.call('POST /saved_snippets', values)
        : client.call('PATCH /saved_snippets/{saved_snippet_id}', { ...values, saved_snippet_id: snippet.id }),
    done: snippet === undefined ? t('The snippet was saved.') : t('Saved.'),
    renews: snippet === undefined ? 'all' : [],
  })
  return (
    <Form of={form}>
      <TextField label={t('Title')} isRequired most={MAX_SNIPPET_TITLE} {...form.bind('title')} />
      <TextField
        label={t('Text')}
        rows={4}
        isRequired
        most={organization.value.max_message_length}
        {...form.bind('content')}
      />
      <FormEnd of={form} label={snippet === undefined ? t('Save the snippet') : t('Save')} />
    </Form>
  )
}
