/** The user's alert words: words of which the user wants to be notified. */

import { ActionStatus, useAction } from '../forms/action.js'
import { TextField } from '../forms/fields.js'
import { Form, FormEnd, useForm } from '../forms/form.js'
import { compareTexts } from '../languages/locale.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { linkTo } from '../routing/location.js'
import { propertyView } from '../routing/views.js'

/** The longest word, in characters. */
const MAX_WORD_LENGTH = 100

/** The page "Alert words". */
export const AlertWordSettings = () => {
  const chat = useChat()
  const action = useAction()
  const words = [...chat.alertWords.value].sort(compareTexts)
  const remove = (word: string) =>
    action.run(
      () => chat.client.call('DELETE /users/me/alert_words', { alert_words: [word] }),
      t('“{word}” was removed.', { word }),
    )
  return (
    <>
      <p class="soft-text">
        {t(
          'A new message with one of these words notifies you as a mention does, and the word is marked in it. Capital letters make no difference. Only you see this list.',
        )}{' '}
        <a href={linkTo(propertyView('alerted'))}>{t('Read the messages with your words')}</a>
      </p>
      {words.length > 0 && (
        <ul class="dialog-rows" aria-label={t('Alert words')}>
          {words.map((word) => (
            <li key={word} class="dialog-row">
              <div class="dialog-row-main">
                <bdi class="dialog-row-title">{word}</bdi>
              </div>
              <button
                type="button"
                class="button"
                aria-label={t('Remove {word}', { word })}
                onClick={() => remove(word)}
              >
                {t('Remove')}
              </button>
            </li>
          ))}
        </ul>
      )}
      <ActionStatus action={action} />
      <AddWord />
    </>
  )
}

const AddWord = () => {
  const chat = useChat()
  const form = useForm({
    values: { word: '' },
    send: async ({ word }) => {
      const isKnown = chat.alertWords.peek().some((known) => known.toLowerCase() === word.trim().toLowerCase())
      if (isKnown) throw new Error(t('You have this word already.'))
      await chat.client.call('POST /users/me/alert_words', { alert_words: [word.trim()] })
    },
    done: ({ word }) => t('“{word}” was added.', { word: word.trim() }),
    renews: 'all',
  })
  return (
    <Form of={form} class="dialog-form dialog-group">
      <h3>{t('A new word')}</h3>
      <TextField label={t('Word or phrase')} isRequired most={MAX_WORD_LENGTH} {...form.bind('word')} />
      <FormEnd of={form} label={t('Add the word')} isDisabled={form.values.word.trim() === ''} />
    </Form>
  )
}
