/** Linkifiers: patterns whose matches in messages become links. Administrators define, order and remove them. */

import type { Linkifier } from '@parley/client/realm'
import { ActionStatus, useAction } from '../../forms/action.js'
import { TextField } from '../../forms/fields.js'
import { Form, FormEnd, useForm } from '../../forms/form.js'
import { t } from '../../languages/t.js'
import { useChat } from '../../realm/chat.js'
import { EditableEntry } from '../editable-entry.js'
import { moveEntry } from '../move-buttons.js'

/** The page "Linkifiers". */
export const LinkifierSettings = () => {
  const chat = useChat()
  const action = useAction()
  const linkifiers = chat.organization.value.realm_linkifiers ?? []
  const move = (from: number, to: number) =>
    action.run(() => {
      const ordered_linkifier_ids = moveEntry(linkifiers, from, to).map(({ id }) => id)
      return chat.client.call('PATCH /realm/linkifiers', { ordered_linkifier_ids })
    })
  const remove = ({ id: filter_id }: Linkifier) =>
    action.run(
      () => chat.client.call('DELETE /realm/filters/{filter_id}', { filter_id }),
      t('The linkifier was removed.'),
    )
  return (
    <>
      <p class="soft-text">
        {t(
          'What a pattern matches in new messages becomes a link, such as the number of a ticket. Where two patterns match, the first one counts.',
        )}
      </p>
      <ul class="dialog-rows" aria-label={t('Linkifiers')}>
        {linkifiers.map((linkifier, index) => (
          <EditableEntry
            key={linkifier.id}
            name={linkifier.pattern}
            summary={linkifier.url_template}
            place={{ index, count: linkifiers.length, onMove: (to) => move(index, to) }}
            removal={{ label: t('Remove'), confirmLabel: t('Remove {name} now', { name: linkifier.pattern }) }}
            onRemove={() => remove(linkifier)}
          >
            <LinkifierForm linkifier={linkifier} />
          </EditableEntry>
        ))}
      </ul>
      <ActionStatus action={action} />
      <section class="dialog-group" aria-label={t('A new linkifier')}>
        <h3>{t('A new linkifier')}</h3>
        <LinkifierForm />
      </section>
    </>
  )
}

const LinkifierForm = ({ linkifier }: { linkifier?: Linkifier }) => {
  const { client } = useChat()
  const form = useForm({
    values: { pattern: linkifier?.pattern ?? '', template: linkifier?.url_template ?? '' },
    send: ({ pattern, template }) => {
      const params = { pattern: pattern.trim(), url_template: template.trim() }
      return linkifier === undefined
        ? client.call('POST /realm/filters', params)
        : client.call('PATCH /realm/filters/{filter_id}', { ...params, filter_id: linkifier.id })
    },
    done: linkifier === undefined ? t('The linkifier was added.') : t('Saved.'),
    renews: linkifier === undefined ? 'all' : [],
  })
  return (
    <Form of={form}>
      <TextField
        label={t('Pattern')}
        hint={t('A regular expression with named groups: #(?P<id>[0-9]+)')}
        isRequired
        {...form.bind('pattern')}
      />
      <TextField
        label={t('Address')}
        hint={t('With the groups as variables: https://tickets.example/{id}')}
        isRequired
        {...form.bind('template')}
      />
      <FormEnd of={form} label={linkifier === undefined ? t('Add the linkifier') : t('Save')} />
    </Form>
  )
}
