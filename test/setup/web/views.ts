/** The views and dialogs of the page in a busy organization. */
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { root } from '../../../src/dev/root.js'
import type { BusyOrganization } from '../clients/busy-organization.js'
import { PATIENCE_MS } from './web-pages.js'

/** Lists the fragments of the addresses of all views and dialogs. The keys are the names of their pictures. */
export const listViews = ({ channelId, groupId, messageIds, grace, ada }: BusyOrganization): Record<string, string> => {
  const channel = `#narrow/channel/${channelId}-general`
  return {
    inbox: '#inbox',
    recent: '#recent',
    feed: '#feed',
    channel,
    topic: `${channel}/topic/every.20kind`,
    message: `${channel}/topic/every.20kind/near/${messageIds[3]}`,
    'resolved-topic': `${channel}/topic/.E2.9C.94.20an.20old.20question`,
    'empty-topic': `${channel}/topic/nothing.20here`,
    topics: `#topics/channel/${channelId}-general`,
    direct: `#narrow/dm/${grace.user_id}-Grace`,
    mentions: '#narrow/is/mentioned',
    starred: '#narrow/is/starred',
    search: '#narrow/search/plants',
    'search-without-result': '#narrow/search/xylophone',
    drafts: '#drafts',
    scheduled: '#scheduled',
    reminders: '#reminders',
    unknown: '#there-is-no-such-place',
    'settings-profile': '#settings/profile',
    'settings-account': '#settings/account-and-privacy',
    'settings-notifications': '#settings/notifications',
    'settings-display': '#settings/preferences',
    'settings-sidebar': '#settings/sidebar',
    'settings-alert-words': '#settings/alert-words',
    'settings-topics': '#settings/topics',
    'settings-muted-users': '#settings/muted-users',
    'settings-snippets': '#settings/saved-snippets',
    'settings-files': '#settings/uploaded-files',
    'settings-navigation': '#settings/navigation',
    'settings-browsers': '#settings/sessions',
    'settings-second-factor': '#settings/second-factor',
    'settings-api-keys': '#settings/api-keys',
    'settings-linked-accounts': '#settings/linked-accounts',
    'settings-bots': '#settings/your-bots',
    'settings-event-subscriptions': '#settings/event-subscriptions',
    channels: '#channels/all',
    'channel-new': '#channels/new',
    'channel-personal': `#channels/${channelId}/settings/personal`,
    'channel-about': `#channels/${channelId}/settings/general`,
    'channel-subscribers': `#channels/${channelId}/settings/subscribers`,
    'channel-administration': `#channels/${channelId}/settings/administration`,
    'channel-permissions': `#channels/${channelId}/settings/permissions`,
    groups: '#groups/all',
    'group-new': '#groups/new',
    'group-about': `#groups/${groupId}/gardeners/general`,
    'group-members': `#groups/${groupId}/gardeners/members`,
    'group-permissions': `#groups/${groupId}/gardeners/permissions`,
    'own-card': `#user/${ada.user_id}`,
    card: `#user/${grace.user_id}`,
    about: '#about',
    apps: '#apps',
    invite: '#invite/mail',
    'invite-link': '#invite/link',
    'invite-open': '#invite/open',
    shortcuts: '#keyboard-shortcuts',
    'organization-profile': '#organization/organization-profile',
    'organization-settings': '#organization/organization-settings',
    'organization-permissions': '#organization/organization-permissions',
    users: '#organization/users',
    emoji: '#organization/emoji-settings',
    'profile-fields': '#organization/profile-field-settings',
    folders: '#organization/channel-folders',
    linkifiers: '#organization/linkifier-settings',
    providers: '#organization/log-in-providers',
    playgrounds: '#organization/playground-settings',
    'default-channels': '#organization/default-channels-list',
    'sign-ups': '#organization/sign-ups',
    'mail-domains': '#organization/auth-methods',
    'account-defaults': '#organization/organization-level-user-defaults',
    exports: '#organization/data-exports-admin',
    statistics: '#organization/statistics',
    'audit-log': '#organization/audit-log',
    'api-keys': '#organization/api-keys',
    deactivation: '#organization/deactivation',
    'event-subscriptions': '#organization/event-subscriptions',
    'deleted-messages': '#organization/deleted-messages',
  }
}

/** The names of the dialogs that have an address. The code of each is loaded when it is first opened. */
export const dialogNames: readonly string[] = readdirSync(join(root, 'web/src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.dialog.tsx'))
  .map((file) => basename(file, '.dialog.tsx'))

const dialogs = new RegExp(`^#(${dialogNames.join('|')})(/|$)`)

/**
 * Waits until the view has its content. The dialog of its address is open, nothing is loading, and all pictures in
 * sight have arrived.
 * @param t the texts in the language of the page
 */
export const settleView = async (page: Page, t = (text: string): string => text): Promise<void> => {
  await page.waitForLoadState('networkidle')
  const isLoading = () =>
    page.evaluate(
      `/${t('Loading…')}|${t('Opening…')}/.test(document.body.innerText) ||
        (${dialogs}.test(location.hash) && document.querySelector('dialog[open]') === null) || [...document.images].some((image) =>
        !image.complete && image.getBoundingClientRect().top < innerHeight)`,
    )
  await expect.poll(isLoading, { timeout: PATIENCE_MS }).toBe(false)
}
