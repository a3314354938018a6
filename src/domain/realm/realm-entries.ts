/** Events about the organization as a whole. Source: protocol/events.md 3.5. */
import { z } from 'zod'
import { apiFeatureLevel, shownVersion } from '../limits/limits.js'
import { Administrators, AllUsers, type NewEntry } from '../log/entry.js'
import { entry } from '../log/entry-kind.js'
import type { RealmPicture, UserRow } from '../log/rows.js'
import { versionFields } from '../protocol/aliases.js'
import { groupSettingValue } from '../settings/group-setting-values.js'
import { getSetting } from '../settings/user-settings.js'
import { authenticationMethod } from './authentication.js'

/**
 * An account allows or forbids administrators to export its private data. The event is also sent for an account that is
 * added.
 */
export const realmExportConsent = entry<{ user_id: number; consented: boolean }>({
  kind: 'realm_export_consent',
  type: 'realm_export_consent',
  description: 'A user allowed or forbade that exports contain their private data. Only administrators receive it.',
  event: z.object({ type: z.literal('realm_export_consent'), user_id: z.int(), consented: z.boolean() }),
  audience: () => Administrators,
  project: ({ user_id, consented }) => ({ type: 'realm_export_consent', user_id, consented }),
})

/** For an account that is created or reactivated (protocol/events.md 3.4). */
export const composeConsentEntry = (user: UserRow): NewEntry =>
  realmExportConsent({ user_id: user.id, consented: getSetting(user, 'allow_private_data_export') })

/** The organization is deactivated: this event is the last one of every queue. */
export const realmDeactivated = entry<{ realm_id: number }>({
  kind: 'realm/deactivated',
  type: 'realm',
  description: 'The organization was deactivated. It is the last event: connections close afterwards.',
  noExample: 'The queue of the examples ends with the organization.',
  event: z.object({ type: z.literal('realm'), op: z.literal('deactivated'), realm_id: z.int() }),
  audience: () => AllUsers,
  project: ({ realm_id }) => ({ type: 'realm', op: 'deactivated', realm_id }),
})

/** The server runs another release, whose API may differ. */
export const restarted = entry<{ server_generation: number }>({
  kind: 'restart',
  type: 'restart',
  description: 'The server runs a new release. Clients may reload; nothing is lost.',
  noExample: 'Clients receive it after a new release.',
  event: z.object({
    type: z.literal('restart'),
    server_generation: z.int(),
    api_feature_level: z.int(),
    zulip_feature_level: z.int(),
    zulip_version: z.string(),
    zulip_merge_base: z.string(),
  }),
  audience: () => AllUsers,
  project: ({ server_generation }) => ({
    type: 'restart',
    server_generation,
    ...versionFields(apiFeatureLevel, shownVersion),
  }),
})

/** The value of a setting of the organization in an event. */
export const realmSettingValue = z.union([
  z.boolean(),
  z.int(),
  z.string(),
  z.null(),
  groupSettingValue,
  z.record(z.string(), authenticationMethod),
])

export type RealmValue = z.infer<typeof realmSettingValue>

/** A property of the organization has another value. */
export const realmUpdated = entry<{ property: string; value: RealmValue }>({
  kind: 'realm/update',
  type: 'realm',
  description: 'One setting of the organization changed.',
  event: z.object({
    type: z.literal('realm'),
    op: z.literal('update'),
    property: z.string(),
    value: realmSettingValue,
  }),
  audience: () => AllUsers,
  project: ({ property, value }) => ({ type: 'realm', op: 'update', property, value }),
})

/** Properties changed that change together, or that clients know only in this form. */
export const realmUpdatedTogether = entry<{
  data: Readonly<Record<string, RealmValue>>
  /** the picture, if the properties are of one */
  property?: RealmPicture
}>({
  kind: 'realm/update_dict',
  type: 'realm',
  description: 'Some settings of the organization changed together; `data` has those.',
  event: z.object({
    type: z.literal('realm'),
    op: z.literal('update_dict'),
    property: z.enum(['default', 'icon', 'logo', 'night_logo']),
    data: z.record(z.string(), realmSettingValue),
  }),
  audience: () => AllUsers,
  project: ({ data, property = 'default' }) => ({ type: 'realm', op: 'update_dict', property, data }),
})
