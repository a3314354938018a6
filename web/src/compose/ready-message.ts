import type { SendableConversation } from '../routing/views.js'

/** A message that is ready to be sent. */
export interface ReadyMessage {
  conversation: SendableConversation
  content: string
}
