/** Playgrounds: pages of other sites in which a reader runs a code block. Administrators add and remove them. */

import { ActionStatus, useAction } from '../../forms/action.js'
import { TextField } from '../../forms/fields.js'
import { Form, FormEnd, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { ConfirmButton } from '../confirm-button.js'

/** The longest name and language, in characters. */
const MOST = { name: 600, language: 40 }

/** The page "Playgrounds". */
export const PlaygroundSettings = () => {
  const chat = useChat()
  const action = useAction()
  const playgrounds = chat.organization.value.realm_playgrounds ?? []
  return (
    <>
      <p class="soft-text">
        {t('A playground is a page of another site that runs code. Readers send a code block of its language there.')}
      </p>
      {playgrounds.length === 0 && <p class="soft-text">{t('There are no playgrounds yet.')}</p>}
      <ul class="dialog-rows" aria-label={t('Playgrounds')}>
        {playgrounds.map(({ id: playground_id, name, pygments_language, url_template }) => (
          <li key={playground_id} class="dialog-row">
            <div class="dialog-row-main">
              <p class="dialog-row-title">
                <bdi>{name}</bdi>
              </p>
              <p class="soft-text">
                <bdi>{pygments_language}</bdi> · <bdi>{url_template}</bdi>
              </p>
            </div>
            <ConfirmButton
              label={t('Remove')}
              confirmLabel={t('Remove {name} now', { name })}
              onConfirm={() =>
                action.run(
                  () => chat.client.call('DELETE /realm/playgrounds/{playground_id}', { playground_id }),
                  t('The playground was removed.'),
                )
              }
            />
          </li>
        ))}
      </ul>
      <ActionStatus action={action} />
      <section class="dialog-group" aria-label={t('A new playground')}>
        <h3>{t('A new playground')}</h3>
        <NewPlayground />
      </section>
    </>
  )
}

const NewPlayground = () => {
  const { client } = useChat()
  const form = useForm({
    values: { name: '', language: '', template: '' },
    send: ({ name, language, template }) =>
      client.call('POST /realm/playgrounds', {
        name: name.trim(),
        pygments_language: language.trim(),
        url_template: template.trim(),
      }),
    done: t('The playground was added.'),
    renews: 'all',
  })
  return (
    <Form of={form}>
      <div class="dialog-two-columns">
        <TextField label={t('Name')} most={MOST.name} isRequired {...form.bind('name')} />
        <TextField
          label={t('Language')}
          hint={t('As in a code block: Python')}
          most={MOST.language}
          isRequired
          {...form.bind('language')}
        />
      </div>
      <TextField
        label={t('Address')}
        hint={t('With the code as a variable: https://play.example/?code={code}')}
        isRequired
        {...form.bind('template')}
      />
      <FormEnd of={form} label={t('Add the playground')} />
    </Form>
  )
}
