/** The jobs that a message causes. The commit of the message adds its id to each payload. */
import type { UserRow } from '../../log/rows.js'
import type { RealmState } from '../../log/state.js'
import type { RenderedContent } from '../../markdown/context/render-context.js'
import { sha256 } from '../message.js'
import type { MessageLocation } from './composing.js'
import { findWebhookCalls, type WebhookCall } from './outgoing-webhooks.js'
import { pagesToPreview } from './page-previews.js'

/** The call of a bot's server. */
interface WebhookJob {
  kind: 'outgoing_webhook'
  payload: WebhookCall & { realm_url: string }
}

/** Fetches the pages to which a text links. */
interface PreviewJob {
  kind: 'page_previews'
  payload: { author_id: number; sha256: string; urls: readonly string[] }
}

/** The jobs that call the outgoing webhooks of bots. */
export const composeWebhookJobs = (
  state: RealmState,
  sender: UserRow,
  location: MessageLocation,
  mentioned: Iterable<number>,
  realm_url = `http://${state.realm.string_id}.invalid`,
): WebhookJob[] => {
  const calls =
    'participants' in location
      ? findWebhookCalls(
          state,
          sender,
          location.participants.map(({ id }) => id),
          'direct_message',
        )
      : findWebhookCalls(state, sender, mentioned, 'mention')
  return calls.map((call) => ({ kind: 'outgoing_webhook', payload: { ...call, realm_url } }))
}

/** The job that fetches the pages to be shown below a text, if there are any. */
export const composePreviewJobs = (
  state: RealmState,
  author: UserRow,
  content: string,
  { page_urls: pages }: RenderedContent,
): PreviewJob[] => {
  const urls = pagesToPreview(state, author, pages)
  if (urls.length === 0) return []
  return [{ kind: 'page_previews', payload: { author_id: author.id, sha256: sha256(content), urls } }]
}
