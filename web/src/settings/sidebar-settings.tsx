/** Which views the left column lists: those of the page, and views that the user pins with a name. */

import { useSignal } from '@preact/signals'
import { EditableEntry } from '../dialogs/editable-entry.js'
import { type Action, ActionStatus, useAction } from '../forms/action.js'
import { CheckField, TextField } from '../forms/fields.js'
import { Form, FormEnd, useForm } from '../forms/form.js'
import { t } from '../languages/t.js'
import { viewTitle } from '../messages/view-title.js'
import { useChat } from '../realm/chat.js'
import { findListedView, type ListedView, listViews, MAX_VIEW_NAME, setPinned } from '../realm/navigation-views.js'
import { linkTo, view } from '../routing/location.js'

/** The page "Sidebar". */
export const SidebarSettings = () => {
  const chat = useChat()
  const action = useAction()
  const views = listViews(chat)
  const own = views.filter(({ isOfPage }) => !isOfPage)
  return (
    <>
      <fieldset class="dialog-group">
        <legend>{t('Views of the sidebar')}</legend>
        {views
          .filter(({ isOfPage }) => isOfPage)
          .map((listed) => (
            <PinnedCheck key={listed.fragment} listed={listed} action={action} />
          ))}
      </fieldset>
      <p class="soft-text">{t('The others are below “More views”.')}</p>
      <ActionStatus action={action} />
      {own.length > 0 && (
        <section class="dialog-group" aria-label={t('Your views')}>
          <h3>{t('Your views')}</h3>
          <ul class="dialog-rows" aria-label={t('Your views')}>
            {own.map((listed) => (
              <OwnView key={listed.fragment} listed={listed} action={action} />
            ))}
          </ul>
        </section>
      )}
      <PinOpenView />
    </>
  )
}

interface ListedViewProps {
  listed: ListedView
  action: Action
}

const PinnedCheck = ({ listed, action }: ListedViewProps) => {
  const chat = useChat()
  return (
    <CheckField
      label={listed.name}
      value={listed.isPinned}
      onChange={(isPinned) => action.run(() => setPinned(chat, listed, isPinned), t('Saved.'))}
    />
  )
}

const OwnView = ({ listed, action }: ListedViewProps) => {
  const chat = useChat()
  const { fragment, name } = listed
  const form = useForm({
    values: { name },
    send: (values) => chat.client.call('PATCH /navigation_views/{fragment}', { fragment, name: values.name.trim() }),
    done: t('Saved.'),
  })
  const remove = () =>
    action.run(
      () => chat.client.call('DELETE /navigation_views/{fragment}', { fragment }),
      t('“{name}” was removed.', { name }),
    )
  return (
    <EditableEntry
      name={name}
      summary={
        listed.isPinned
          ? viewTitle(chat, listed.view)
          : t('{view} · below “More views”', { view: viewTitle(chat, listed.view) })
      }
      removal={{ label: t('Remove'), confirmLabel: t('Remove {name} now', { name }) }}
      onRemove={remove}
    >
      <Form of={form}>
        <TextField label={t('Name')} isRequired most={MAX_VIEW_NAME} {...form.bind('name')} />
        <FormEnd of={form} label={t('Save')} isDisabled={form.values.name.trim() === name} />
      </Form>
      <PinnedCheck listed={{ ...listed, name: t('Show it in the sidebar') }} action={action} />
    </EditableEntry>
  )
}

/** The dialog lies over the view that the user had open. */
const PinOpenView = () => {
  const chat = useChat()
  const shown = useSignal(view.peek()).value
  const title = viewTitle(chat, shown)
  const form = useForm({
    values: { name: title },
    send: ({ name }) =>
      chat.client.call('POST /navigation_views', {
        fragment: linkTo(shown).slice(1),
        is_pinned: true,
        name: name.trim(),
      }),
    done: ({ name }) => t('“{name}” is in the sidebar.', { name: name.trim() }),
  })
  const isListed = findListedView(chat, shown) !== undefined
  if (shown.name !== 'messages' || (isListed && form.action.state.value.done === '')) {
    return <p class="soft-text">{t('To pin a conversation or a search, open it, and come back to this page.')}</p>
  }
  return (
    <Form of={form} class="dialog-form dialog-group">
      <h3>{t('Pin the open view')}</h3>
      <TextField label={t('Name')} hint={title} isRequired most={MAX_VIEW_NAME} {...form.bind('name')} />
      <FormEnd
        of={form}
        label={t('Pin it')}
        isSecondary
        isDisabled={isListed || form.values.name.trim() === '' || form.action.state.value.isBusy}
      />
    </Form>
  )
}
