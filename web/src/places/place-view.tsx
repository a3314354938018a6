/** The views that are neither the inbox nor messages. The code of each is loaded when it is first opened. */

import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { homeLabel, homeView } from '../realm/home-view.js'
import type { PlaceName } from '../routing/fragment.js'
import { linkTo } from '../routing/location.js'
import './places.css'

const load: Readonly<Record<PlaceName, () => Promise<ComponentType>>> = {
  recent: async () => (await import('./recent-view.js')).RecentView,
  drafts: async () => (await import('./drafts-view.js')).DraftsView,
  scheduled: async () => (await import('./scheduled-view.js')).ScheduledView,
  reminders: async () => (await import('./reminders-view.js')).RemindersView,
}

/** The views whose code has arrived, or could not be loaded. */
const loaded = signal<Partial<Record<PlaceName, { Content: ComponentType } | Error>>>({})

const loadPlace = async (name: PlaceName): Promise<void> => {
  const part = await load[name]().then(
    (Content) => ({ Content }),
    (reason: Error) => reason,
  )
  loaded.value = { ...loaded.peek(), [name]: part }
}

/** The view of an address. */
export const PlaceView = ({ name }: { name: PlaceName | 'unknown' }) => {
  const isVisitor = useChat().ownUserId === undefined
  const part = name === 'unknown' ? undefined : loaded.value[name]
  useEffect(() => {
    if (name !== 'unknown' && !isVisitor && !(part !== undefined && 'Content' in part)) void loadPlace(name)
  }, [name])
  if (name === 'unknown') return <NoPlace text={t('This address leads to nothing in this organization.')} />
  if (isVisitor) return <NoPlace text={t('Only people with an account have this view. Log in to see yours.')} />
  if (part === undefined) return <p class="place-page soft-text">{t('Loading…')}</p>
  if (part instanceof Error) {
    return <NoPlace text={t('This view cannot be loaded. Check your connection, and load the page again.')} />
  }
  return <part.Content />
}

const NoPlace = ({ text }: { text: string }) => {
  const chat = useChat()
  return (
    <div class="place-page place-empty" tabIndex={-1}>
      <p>{text}</p>
      <a class="button button-primary" href={linkTo(homeView(chat))}>
        {homeLabel(chat)}
      </a>
    </div>
  )
}
