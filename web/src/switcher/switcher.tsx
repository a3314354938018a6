/** A field over the page that leads to a conversation or a view: its letters are enough, the latest come first. */

import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { open, view } from '../routing/location.js'
import { viewKey } from '../routing/views.js'
import { Avatar } from '../ui/avatar.js'
import { ChannelMark } from '../ui/channel-mark.js'
import { closeOnBack } from '../ui/close-on-back.js'
import { Count } from '../ui/count.js'
import { returnFocus } from '../ui/focus-return.js'
import { Icon } from '../ui/icon.js'
import { handleListKey, optionId, SuggestionList } from '../ui/suggestion-list.js'
import { collectPlaces, findPlaces, type Place } from './find-places.js'
import './switcher.css'

/** The dialog. Escape, Ctrl+K and a click beside it close it. */
export const Switcher = ({ onClose }: { onClose: () => void }) => {
  const chat = useChat()
  const dialog = useRef<HTMLDialogElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const words = useSignal('')
  const chosen = useSignal(0)
  const openKey = useMemo(() => viewKey(view.peek()), [])
  const places = useComputed(() => collectPlaces(chat))
  const found = useComputed(() => findPlaces(places.value, words.value, openKey))
  useLayoutEffect(() => {
    dialog.current?.showModal()
    input.current?.focus()
    return () => {
      dialog.current?.close()
      returnFocus()
    }
  }, [])
  useEffect(() => closeOnBack(onClose), [])

  const go = (place: Place) => {
    // Its view takes the place of the switcher in the history.
    open(place.view, { replace: true })
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const isSwitchKey = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
    const action = isSwitchKey
      ? 'close'
      : event.key === 'Tab'
        ? undefined
        : handleListKey(event.key, chosen.value, found.value.length)
    if (action === undefined) return
    event.preventDefault()
    if (action === 'close') return onClose()
    const place = found.value[chosen.value]
    if (typeof action === 'number') chosen.value = Number.isNaN(action) ? 0 : action
    else if (place !== undefined) go(place)
  }
  const active = found.value[chosen.value] === undefined ? undefined : optionId(id, chosen.value)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog too.
    <dialog
      class="switcher-dialog"
      ref={dialog}
      aria-label={t('Switch to a conversation')}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <input
        class="text-field"
        ref={input}
        role="combobox"
        autoComplete="off"
        autoCapitalize="none"
        spellcheck={false}
        dir="auto"
        placeholder={t('Switch to…')}
        aria-label={t('Channel, topic, person or view')}
        aria-expanded={found.value.length > 0}
        aria-controls={id}
        aria-activedescendant={active}
        onInput={(event) => {
          words.value = event.currentTarget.value
          chosen.value = 0
        }}
        onKeyDown={onKeyDown}
      />
      {found.value.length > 0 ? (
        <SuggestionList
          id={id}
          label={t('Conversations and views')}
          items={found.value}
          chosen={chosen.value}
          keyOf={({ key }) => key}
          render={(place) => <PlaceRow place={place} />}
          onPick={go}
        />
      ) : (
        <p class="soft-text switcher-hint" role="status">
          {t('Nothing here is called so. Try a part of the name.')}
        </p>
      )}
    </dialog>
  )
}

const PlaceRow = ({ place: { label, detail, icon, userId, channelId, count } }: { place: Place }) => {
  const chat = useChat()
  const user = userId === undefined ? undefined : chat.users.value.get(userId)
  const channel = channelId === undefined ? undefined : chat.channels.value.get(channelId)
  return (
    <>
      <span class="switcher-mark">
        {user !== undefined && <Avatar user={user} size="small" />}
        {channel !== undefined && <ChannelMark channel={channel} />}
        {icon !== undefined && <Icon name={icon} size={16} />}
      </span>
      <span class="suggestion-label" dir="auto">
        {label}
      </span>
      <span class="suggestion-detail" dir="auto">
        {detail}
      </span>
      <Count count={count} />
    </>
  )
}
