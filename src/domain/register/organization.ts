/**
 * Fetch names of resources that an organization configures: profile fields, emoji, linkifiers, playgrounds …
 *
 * Some lists are always empty, because the server has no integrations, no embedded bots and no GIF service.
 */
import { z } from 'zod'
import { customEmojiOnWire } from '../realm/custom-emoji.js'
import { customEmojiTable } from '../realm/custom-emoji-entries.js'
import { linkifierObject } from '../realm/linkifier-entries.js'
import { linkifiersOnWire } from '../realm/linkifiers.js'
import { playgroundObject } from '../realm/playground-entries.js'
import { playgroundsOnWire } from '../realm/playgrounds.js'
import { domainObject } from '../realm/realm-domain-entries.js'
import { domainsOnWire } from '../realm/realm-domains.js'
import { stopWords } from '../search/stop-words.js'
import { profileFieldObject } from '../users/profiles/profile-field-entries.js'
import { profileFieldsOnWire } from '../users/profiles/profile-fields.js'
import { sharedSection } from './shared-sections.js'
import { field } from './snapshot-request.js'

const records = z.array(z.record(z.string(), z.unknown()))

/** Kinds of profile fields, by the number that stands for each. */
const profileFieldTypes = {
  SHORT_TEXT: { id: 1, name: 'Text (short)' },
  LONG_TEXT: { id: 2, name: 'Text (long)' },
  SELECT: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
  PRONOUNS: { id: 8, name: 'Pronouns' },
}

export const profileFieldSection = sharedSection({
  custom_profile_fields: field(z.array(profileFieldObject), ({ state, viewer }) =>
    viewer === null ? [] : profileFieldsOnWire(state),
  ),
  custom_profile_field_types: field(
    z.record(z.string(), z.object({ id: z.int(), name: z.string() })),
    () => profileFieldTypes,
  ),
})

export const emojiSection = sharedSection({
  realm_emoji: field(customEmojiTable, ({ state }) => customEmojiOnWire(state)),
})

/** A client that does not declare `linkifier_url_template` gets none. */
export const linkifierSection = sharedSection({
  realm_linkifiers: field(z.array(linkifierObject), ({ state, profile }) =>
    profile.linkifier_url_template ? linkifiersOnWire(state) : [],
  ),
})

/** The older form of linkifiers, without templates; always empty. */
export const filterSection = sharedSection({ realm_filters: field(records, () => []) })
export const playgroundSection = sharedSection({
  realm_playgrounds: field(z.array(playgroundObject), ({ state }) => playgroundsOnWire(state)),
})

export const domainSection = sharedSection({
  realm_domains: field(z.array(domainObject), ({ state }) => domainsOnWire(state)),
})

export const billingSection = sharedSection({
  realm_billing: field(z.object({ has_pending_sponsorship_request: z.boolean() }), () => ({
    has_pending_sponsorship_request: false,
  })),
})

export const embeddedBotSection = sharedSection({ realm_embedded_bots: field(records, () => []) })
export const webhookBotSection = sharedSection({ realm_incoming_webhook_bots: field(records, () => []) })
export const stopWordSection = sharedSection({ stop_words: field(z.array(z.string()), () => [...stopWords]) })
export const videoCallSection = sharedSection({ has_zoom_token: field(z.boolean(), () => false) })
export const gifSection = sharedSection({ giphy_api_key: field(z.string(), () => '') })
