/** What the notices about channels have in common: the first one of a channel, and those about its changes. */
import type { Texts } from '#rules/texts.js'

/**
 * Their topic in the channel. No client looks for it by its name, so it is in the language of the organization. Topics
 * of earlier notices keep their name when the organization chooses another language.
 */
export const eventsTopic = (t: Texts): string => t('channel events')

/** Quotes the description of a channel. */
export const quoteDescription = (description: string): string => `\`\`\`\` quote\n${description}\n\`\`\`\``
