/**
 * A profile: everything of an event queue's registration except the user.
 *
 * Few distinct profiles serve all clients, so the JSON of an event is built once per profile and shared.
 * Source: protocol/events.md 5 and 6.
 */

export interface Profile {
  /** the event types that the queue receives; null: all */
  event_types: readonly string[] | null
  /** [operator, operand] pairs that a message must match */
  narrow: readonly (readonly [string, string])[]
  all_public_streams: boolean
  apply_markdown: boolean
  client_gravatar: boolean
  slim_presence: boolean
  notification_settings_null: boolean
  bulk_message_deletion: boolean
  user_avatar_url_field_optional: boolean
  stream_typing_notifications: boolean
  user_settings_object: boolean
  linkifier_url_template: boolean
  user_list_incomplete: boolean
  include_deactivated_groups: boolean
  archived_channels: boolean
  empty_topic_name: boolean
  simplified_presence_events: boolean
  /** the client reads the names of the API document, which follows from its own name (protocol/aliases.ts) */
  document_names: boolean
}

/** The client capabilities of the protocol, each a boolean of the profile. */
export const capabilities = [
  'notification_settings_null',
  'bulk_message_deletion',
  'user_avatar_url_field_optional',
  'stream_typing_notifications',
  'user_settings_object',
  'linkifier_url_template',
  'user_list_incomplete',
  'include_deactivated_groups',
  'archived_channels',
  'empty_topic_name',
  'simplified_presence_events',
] as const

/** The profile of a client that sends no parameters. It is that of protocol/register.md 8, "Nothing given". */
export const plainProfile: Profile = {
  event_types: null,
  narrow: [],
  all_public_streams: false,
  apply_markdown: false,
  client_gravatar: true,
  slim_presence: false,
  notification_settings_null: false,
  bulk_message_deletion: false,
  user_avatar_url_field_optional: false,
  stream_typing_notifications: false,
  user_settings_object: false,
  linkifier_url_template: false,
  user_list_incomplete: false,
  include_deactivated_groups: false,
  archived_channels: false,
  empty_topic_name: false,
  simplified_presence_events: false,
  document_names: true,
}

/** The part of a profile on which the bytes of an event depend. The rest decides which events a queue receives. */
export type EventForm = Omit<Profile, 'event_types' | 'narrow' | 'all_public_streams'>

const formsByKey = new Map<string, EventForm>()
const formsByProfile = new WeakMap<Profile, EventForm>()

/** Returns the event form of a profile. All profiles whose forms are equal share one object. */
export const eventForm = (profile: Profile): EventForm => {
  let form = formsByProfile.get(profile)
  if (form === undefined) {
    const { event_types: _types, narrow: _narrow, all_public_streams: _all, ...own } = profile
    // Only booleans, so clients cannot make more forms than there are combinations.
    const key = JSON.stringify(own)
    form = formsByKey.get(key) ?? own
    formsByKey.set(key, form)
    formsByProfile.set(profile, form)
  }
  return form
}

/** Composes the text that two equal profiles share. It is the key under which they are interned and stored. */
export const profileKey = (profile: Profile): string =>
  JSON.stringify({
    ...profile,
    event_types: profile.event_types === null ? null : [...new Set(profile.event_types)].sort(),
  })

/** Whether the queue receives events of this type; it always receives heartbeats. */
export const acceptsType = (profile: Profile, type: string): boolean =>
  profile.event_types === null || profile.event_types.includes(type)
