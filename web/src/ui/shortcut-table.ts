/**
 * All shortcuts: their keys, and what they do in words.
 *
 * 1. A key works only if it is in this table, and the list that `?` opens is this table. So the list is always right.
 * 2. Parts of the page that are never shown together may have the same key: the parts bind it while they are shown.
 */

/** A shortcut as it is declared. */
export interface ShortcutEntry {
  group: 'Everywhere' | 'Messages' | 'The selected message' | 'Inbox'
  /**
   * values of `KeyboardEvent.key`; with `Ctrl+`, keys that are pressed together with Control, or with Command on a Mac
   */
  keys: readonly string[]
  label: string
}

/** The shortcuts by name. */
export const shortcutTable = {
  showShortcuts: { group: 'Everywhere', keys: ['?'], label: 'This list' },
  search: { group: 'Everywhere', keys: ['/'], label: 'Search messages' },
  switchConversation: { group: 'Everywhere', keys: ['Ctrl+K'], label: 'Switch to a conversation or a view' },
  compose: { group: 'Everywhere', keys: ['c'], label: 'Write a message' },
  composeElsewhere: { group: 'Everywhere', keys: ['C'], label: 'Write to another conversation' },
  composeDirect: { group: 'Everywhere', keys: ['x'], label: 'New direct message' },
  nextTopic: { group: 'Everywhere', keys: ['n'], label: 'Next unread topic' },
  nextDirect: { group: 'Everywhere', keys: ['p'], label: 'Next unread direct message' },
  allMessages: { group: 'Everywhere', keys: ['a'], label: 'All messages' },
  inbox: { group: 'Everywhere', keys: ['i'], label: 'Inbox' },
  recent: { group: 'Everywhere', keys: ['t'], label: 'Recent conversations' },
  drafts: { group: 'Everywhere', keys: ['d'], label: 'Drafts' },
  filterConversations: { group: 'Everywhere', keys: ['q'], label: 'Filter channels, topics and direct messages' },
  searchMembers: { group: 'Everywhere', keys: ['w'], label: 'Search members' },
  leave: { group: 'Everywhere', keys: ['Escape'], label: 'Close the panel, or open the home view' },

  nextMessage: { group: 'Messages', keys: ['j', 'ArrowDown'], label: 'Next message' },
  previousMessage: { group: 'Messages', keys: ['k', 'ArrowUp'], label: 'Previous message' },
  newestMessage: { group: 'Messages', keys: ['End', 'G'], label: 'Newest message' },

  openTopic: { group: 'The selected message', keys: ['s'], label: 'Open its conversation' },
  reply: { group: 'The selected message', keys: ['r'], label: 'Reply' },
  quote: { group: 'The selected message', keys: ['>'], label: 'Quote and reply' },
  forward: { group: 'The selected message', keys: ['<'], label: 'Forward' },
  star: { group: 'The selected message', keys: ['*'], label: 'Star' },
  react: { group: 'The selected message', keys: [':', '+'], label: 'React' },
  openMenu: { group: 'The selected message', keys: ['.'], label: 'More actions' },
  showPictures: { group: 'The selected message', keys: ['v'], label: 'Show its pictures' },
  toggleFold: { group: 'The selected message', keys: ['-'], label: 'Show more or less of it' },
  edit: { group: 'The selected message', keys: ['e'], label: 'Edit' },
  move: { group: 'The selected message', keys: ['m'], label: 'Move' },
  markAsUnread: { group: 'The selected message', keys: ['U'], label: 'Mark as unread from here' },
  copyLink: { group: 'The selected message', keys: ['l'], label: 'Copy the link' },
  showReceipts: { group: 'The selected message', keys: ['V'], label: 'Who has read it' },
  showHistory: { group: 'The selected message', keys: ['H'], label: 'History' },

  nextConversation: { group: 'Inbox', keys: ['j', 'ArrowDown'], label: 'Next conversation' },
  previousConversation: { group: 'Inbox', keys: ['k', 'ArrowUp'], label: 'Previous conversation' },
} as const satisfies Record<string, ShortcutEntry>

/** The name of a shortcut. */
export type ShortcutName = keyof typeof shortcutTable

/** The entry of a shortcut. */
export const shortcutEntry = (name: ShortcutName): ShortcutEntry => shortcutTable[name]

/** The first key of a shortcut, as menus show it. */
export const keyOf = (name: ShortcutName): string => shortcutTable[name].keys[0]
