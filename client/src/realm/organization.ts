/** The settings of the organization and of the user, custom emoji, and the user's personal lists. */
import type { Snapshot } from '../kernel/api.js'
import { createStore } from '../kernel/store.js'
import { createRows, indexBy, type Section } from './section.js'
import type {
  CustomEmoji,
  Draft,
  NavigationView,
  Organization,
  SavedSnippet,
  ScheduledMessage,
  SettingDefaults,
  UserSettings,
} from './types.js'

/** The other sections of a registration, which have stores of their own. */
const elsewhere = /^realm_(users|non_active_users|user_groups|emoji|bots|user_settings_defaults)$/

/** Creates the section of what belongs to the organization. */
export const createOrganization = () => {
  const organization = createStore<Organization>({} as Organization)
  const settingDefaults = createStore<SettingDefaults>({} as SettingDefaults)
  const emoji = createRows<string, CustomEmoji>()
  const patch = (fields: Record<string, unknown>) => organization.set({ ...organization.get(), ...fields })

  const section: Section = {
    load(snapshot) {
      const own = Object.entries(snapshot).filter(([key]) => isOrganizationKey(key))
      organization.set(Object.fromEntries(own) as Organization)
      settingDefaults.set(snapshot.realm_user_settings_defaults ?? ({} as SettingDefaults))
      emoji.set(new Map(Object.entries(snapshot.realm_emoji ?? {})))
    },
    handlers: {
      realm(event) {
        if (event.op === 'update') patch({ [`realm_${event.property}`]: event.value })
        else if (event.op === 'update_dict') {
          const named = Object.entries(event.data).map(([key, value]) => [
            key === 'max_file_upload_size_mib' ? key : `realm_${key}`,
            value,
          ])
          patch(Object.fromEntries(named))
        }
      },
      realm_linkifiers: ({ realm_linkifiers }) => patch({ realm_linkifiers }),
      realm_playgrounds: ({ realm_playgrounds }) => patch({ realm_playgrounds }),
      realm_domains(event) {
        const { realm_domains = [] } = organization.get()
        const isOther = ({ domain }: { domain: string }) =>
          domain !== (event.op === 'remove' ? event.domain : event.realm_domain.domain)
        if (event.op === 'add') patch({ realm_domains: [...realm_domains, event.realm_domain] })
        else if (event.op === 'remove') patch({ realm_domains: realm_domains.filter(isOther) })
        else patch({ realm_domains: realm_domains.map((row) => (isOther(row) ? row : event.realm_domain)) })
      },
      realm_user_settings_defaults: ({ property, value }) =>
        settingDefaults.set({ ...settingDefaults.get(), [property]: value }),
      default_stream_groups: ({ default_stream_groups }) =>
        patch({ realm_default_stream_groups: default_stream_groups }),
      default_streams: ({ default_streams }) => patch({ realm_default_streams: default_streams }),
      custom_profile_fields: ({ fields }) => patch({ custom_profile_fields: fields }),
      realm_emoji: ({ realm_emoji }) => emoji.set(new Map(Object.entries(realm_emoji))),
    },
  }
  return { section, organization, settingDefaults, emoji }
}

const isOrganizationKey = (key: string): boolean =>
  (/^(realm|server|max)_/.test(key) && key !== 'max_message_id' && !elsewhere.test(key)) ||
  key === 'custom_profile_fields'

/** Creates the section of what belongs to the user alone. */
export const createPersonal = () => {
  const settings = createStore<UserSettings>({} as UserSettings)
  const drafts = createRows<number, Draft>()
  const scheduledMessages = createRows<number, ScheduledMessage>()
  const savedSnippets = createRows<number, SavedSnippet>()
  const alertWords = createStore<readonly string[]>([])
  const navigationViews = createRows<string, NavigationView>()
  const onboardingSteps = createStore<ReadonlySet<string>>(new Set())
  const loadSteps = (steps: Snapshot['onboarding_steps'] = []) =>
    onboardingSteps.set(new Set(steps.map(({ name }) => name)))

  const section: Section = {
    load(snapshot) {
      settings.set(snapshot.user_settings ?? ({} as UserSettings))
      drafts.set(indexBy('id', snapshot.drafts))
      scheduledMessages.set(indexBy('scheduled_message_id', snapshot.scheduled_messages))
      savedSnippets.set(indexBy('id', snapshot.saved_snippets))
      alertWords.set(snapshot.alert_words ?? [])
      navigationViews.set(new Map((snapshot.navigation_views ?? []).map((view) => [view.fragment, view])))
      loadSteps(snapshot.onboarding_steps)
    },
    handlers: {
      user_settings({ property, value }) {
        settings.set({ ...settings.get(), [property]: value })
        // The server deletes the drafts, and sends no event for each of them.
        if (property === 'enable_drafts_synchronization' && value === false) drafts.set(new Map())
      },
      drafts(event) {
        if (event.op === 'remove') drafts.remove([event.draft_id])
        else for (const draft of event.op === 'add' ? event.drafts : [event.draft]) drafts.put(draft.id, draft)
      },
      scheduled_messages(event) {
        if (event.op === 'remove') return scheduledMessages.remove([event.scheduled_message_id])
        const rows = event.op === 'add' ? event.scheduled_messages : [event.scheduled_message]
        for (const row of rows) scheduledMessages.put(row.scheduled_message_id, row as ScheduledMessage)
      },
      saved_snippets(event) {
        if (event.op === 'remove') savedSnippets.remove([event.saved_snippet_id])
        else savedSnippets.put(event.saved_snippet.id, event.saved_snippet)
      },
      alert_words: ({ alert_words }) => alertWords.set(alert_words),
      navigation_view(event) {
        if (event.op === 'remove') navigationViews.remove([event.fragment])
        else if (event.op === 'update') navigationViews.patch(event.fragment, event.data)
        else navigationViews.put(event.navigation_view.fragment, event.navigation_view)
      },
      onboarding_steps: ({ onboarding_steps }) => loadSteps(onboarding_steps),
    },
  }
  const lists = { drafts, scheduledMessages, savedSnippets, alertWords, navigationViews, onboardingSteps }
  return { section, settings, ...lists }
}
