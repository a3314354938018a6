/** The dialogs that have an address, such as `#settings/profile`. Their code is loaded when they are first opened. */

import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { AddressDialog, type DialogAddress } from '../dialogs/address-dialog.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import type { Overlay } from '../routing/fragment.js'
import { openOverlay, overlay } from '../routing/location.js'
import { Boundary } from '../ui/boundary.js'
import { rememberFocus } from '../ui/focus-return.js'

/**
 * A file `<name>.dialog.tsx` is the dialog `#<name>`, and its default export is the component. It is in a folder of
 * `src/`, or in a folder of such a folder.
 */
const files = import.meta.glob<ComponentType<DialogAddress>>(['../*/*.dialog.tsx', '../*/*/*.dialog.tsx'], {
  import: 'default',
})

const loaders = new Map(Object.entries(files).map(([file, load]) => [file.replace(/^.*\/|\.dialog\.tsx$/g, ''), load]))

/** The names of the dialogs that have an address. */
export const dialogNames: ReadonlySet<string> = new Set(loaders.keys())

/** The dialog of the address, if it names one. */
export const Dialogs = () => {
  const chat = useChat()
  useEffect(rememberFocus, [])
  useEffect(() => (chat.ownUserId === undefined ? undefined : openCards()), [chat.ownUserId])
  if (overlay.value === undefined || chat.ownUserId === undefined) return null
  return (
    <Boundary note={t('This dialog cannot be shown.')} of={overlay.value} fallback={() => <UnshownDialog />}>
      <LoadedDialog key={overlay.value.name} overlay={overlay.value} />
    </Boundary>
  )
}

const UnshownDialog = () => (
  <AddressDialog title={t('This cannot be shown')}>
    <p role="alert">{t('Something in it cannot be drawn. The rest of the page goes on.')}</p>
  </AddressDialog>
)

const LoadedDialog = ({ overlay: { name, path } }: { overlay: Overlay }) => {
  const part = useSignal<{ Content: ComponentType<DialogAddress> } | Error | undefined>(undefined)
  const load = loaders.get(name)
  useEffect(() => {
    load?.().then(
      (Content) => {
        part.value = { Content }
      },
      (reason: Error) => {
        part.value = reason
      },
    )
  }, [load])
  if (part.value === undefined) return null
  if (part.value instanceof Error) {
    return (
      <AddressDialog title={t('This cannot be shown')}>
        <p role="alert">{t('Its code cannot be loaded. Check your connection, and load the page again.')}</p>
      </AddressDialog>
    )
  }
  const { Content } = part.value
  return <Content path={path} />
}

/**
 * Opens the card of the user or the group that an element names with `data-user-id` or `data-user-group-id`: a name, a
 * picture or a mention. Buttons turn Enter and Space into clicks themselves; a mention is a `span` in rendered HTML.
 */
const openCards = (): (() => void) => {
  const openCard = (event: Event) => {
    if (!(event.target instanceof Element)) return
    const named = event.target.closest<HTMLElement>('[data-user-id], [data-user-group-id]')
    const { userId, userGroupId } = named?.dataset ?? {}
    if (!isId(userId) && !isId(userGroupId)) return
    if (event instanceof KeyboardEvent) {
      if ((event.key !== 'Enter' && event.key !== ' ') || named !== event.target || named.tagName === 'BUTTON') return
    }
    event.preventDefault()
    if (isId(userId)) openOverlay('user', userId)
    else if (isId(userGroupId)) openOverlay('groups', userGroupId)
  }
  document.addEventListener('click', openCard)
  document.addEventListener('keydown', openCard)
  return () => {
    document.removeEventListener('click', openCard)
    document.removeEventListener('keydown', openCard)
  }
}

const isId = (text: string | undefined): text is string => text !== undefined && /^\d+$/.test(text)
