/**
 * All shortcuts: their keys, and what they do in words.
 *
 * 1. A key works only if it is in this table, and the list that `?` opens is this table. So the list is always right.
 * 2. Parts of the page that are never shown together may have the same key: the parts bind it while they are shown.
 */
import { t } from '../languages/t.js'

/** A shortcut as it is declared. */
export interface ShortcutEntry {
  group: string
  /**
   * values of `KeyboardEvent.key`; with `Ctrl+`, keys that are pressed together with Control, or with Command on a Mac
   */
  keys: readonly string[]
  label: string
}

/** The shortcuts by name. */
export const shortcutTable = {
  showShortcuts: { group: t('Everywhere'), keys: ['?'], label: t('This list') },
  search: { group: t('Everywhere'), keys: ['/'], label: t('Search messages') },
  switchConversation: { group: t('Everywhere'), keys: ['Ctrl+K'], label: t('Switch to a conversation or a view') },
  compose: { group: t('Everywhere'), keys: ['c'], label: t('Write a message') },
  composeElsewhere: { group: t('Everywhere'), keys: ['C'], label: t('Write to another conversation') },
  composeDirect: { group: t('Everywhere'), keys: ['x'], label: t('New direct message') },
  nextTopic: { group: t('Everywhere'), keys: ['n'], label: t('Next unread topic') },
  nextDirect: { group: t('Everywhere'), keys: ['p'], label: t('Next unread direct message') },
  allMessages: { group: t('Everywhere'), keys: ['a'], label: t('All messages') },
  inbox: { group: t('Everywhere'), keys: ['i'], label: t('Inbox') },
  recent: { group: t('Everywhere'), keys: ['t'], label: t('Recent conversations') },
  drafts: { group: t('Everywhere'), keys: ['d'], label: t('Drafts') },
  filterConversations: { group: t('Everywhere'), keys: ['q'], label: t('Filter channels, topics and direct messages') },
  searchMembers: { group: t('Everywhere'), keys: ['w'], label: t('Search members') },
  leave: { group: t('Everywhere'), keys: ['Escape'], label: t('Close the panel, or open the home view') },

  nextMessage: { group: t('Messages'), keys: ['j', 'ArrowDown'], label: t('Next message') },
  previousMessage: { group: t('Messages'), keys: ['k', 'ArrowUp'], label: t('Previous message') },
  newestMessage: { group: t('Messages'), keys: ['End', 'G'], label: t('Newest message') },

  openTopic: { group: t('The selected message'), keys: ['s'], label: t('Open its conversation') },
  reply: { group: t('The selected message'), keys: ['r'], label: t('Reply') },
  quote: { group: t('The selected message'), keys: ['>'], label: t('Quote and reply') },
  forward: { group: t('The selected message'), keys: ['<'], label: t('Forward') },
  star: { group: t('The selected message'), keys: ['*'], label: t('Star') },
  react: { group: t('The selected message'), keys: [':', '+'], label: t('React') },
  openMenu: { group: t('The selected message'), keys: ['.'], label: t('More actions') },
  showPictures: { group: t('The selected message'), keys: ['v'], label: t('Show its pictures') },
  toggleFold: { group: t('The selected message'), keys: ['-'], label: t('Show more or less of it') },
  edit: { group: t('The selected message'), keys: ['e'], label: t('Edit') },
  move: { group: t('The selected message'), keys: ['m'], label: t('Move') },
  markAsUnread: { group: t('The selected message'), keys: ['U'], label: t('Mark as unread from here') },
  copyLink: { group: t('The selected message'), keys: ['l'], label: t('Copy the link') },
  showReceipts: { group: t('The selected message'), keys: ['V'], label: t('Who has read it') },
  showHistory: { group: t('The selected message'), keys: ['H'], label: t('History') },

  nextConversation: { group: t('Inbox'), keys: ['j', 'ArrowDown'], label: t('Next conversation') },
  previousConversation: { group: t('Inbox'), keys: ['k', 'ArrowUp'], label: t('Previous conversation') },
} as const satisfies Record<string, ShortcutEntry>

/** The name of a shortcut. */
export type ShortcutName = keyof typeof shortcutTable

/** The entry of a shortcut. */
export const shortcutEntry = (name: ShortcutName): ShortcutEntry => shortcutTable[name]

/** The first key of a shortcut, as menus show it. */
export const keyOf = (name: ShortcutName): string => shortcutTable[name].keys[0]
