/** Asks before a message is sent whose mentions notify many people, or people who are not there. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { useChat } from '../../realm/chat.js'
import type { SendableConversation } from '../../routing/views.js'
import { useLoaded } from '../../ui/use-loaded.js'
import { findRisks, hasMention, type MentionRisks } from './mention-risks.js'

/** The question. `ask` sends at once what needs none; `dialog` is a part of the page. */
export interface MentionQuestion {
  ask(conversation: SendableConversation, content: string, send: () => void): void
  dialog: ComponentChildren
}

/** The question of a field for messages. */
export const useMentionQuestion = (): MentionQuestion => {
  const chat = useChat()
  const asked = useSignal<{ risks: MentionRisks; send: () => void } | undefined>(undefined)
  const isSearching = useRef(false)
  const ask = async (conversation: SendableConversation, content: string, send: () => void) => {
    if (!hasMention(content)) return send()
    if (isSearching.current) return
    isSearching.current = true
    const risks = await findRisks(chat, conversation, content)
    isSearching.current = false
    if (risks === undefined) send()
    else asked.value = { risks, send }
  }
  const close = () => {
    asked.value = undefined
  }
  return {
    ask: (conversation, content, send) => void ask(conversation, content, send),
    dialog: asked.value !== undefined && <LoadedDialog {...asked.value} onClose={close} />,
  }
}

const LoadedDialog = (props: { risks: MentionRisks; send: () => void; onClose: () => void }) => {
  const Content = useLoaded(async () => (await import('./mention-dialog.js')).MentionDialog, undefined)
  return Content === undefined ? null : <Content {...props} />
}
