import { compileLinkifier } from '../../src/domain/markdown/context/compiled-linkifier.js'
import type { RenderContext } from '../../src/domain/markdown/context/render-context.js'

const users = [
  { id: 7, full_name: 'Ada Low', is_active: true },
  { id: 8, full_name: 'Gone Guy', is_active: false },
  { id: 9, full_name: 'Twin', is_active: false },
  { id: 10, full_name: 'Twin', is_active: true },
  { id: 11, full_name: 'all', is_active: true },
  { id: 13, full_name: '<b>&"x"', is_active: true },
]

const groups = [
  { id: 12, name: 'devs', display_name: 'devs', deactivated: false },
  { id: 3, name: 'role:members', display_name: 'Members', deactivated: false },
  { id: 14, name: 'old', display_name: 'old', deactivated: true },
]

const channels = [
  { id: 3, name: 'design' },
  { id: 4, name: 'a > b' },
  { id: 5, name: "Käse & (co.)'s" },
]

export const renderContext: RenderContext = {
  realm_url: 'https://chat.example.org',
  default_code_block_language: '',
  translate_emoticons: false,
  inline_image_preview: true,
  linkifiers: [compileLinkifier({ id: 1, pattern: '#(?P<id>[0-9]+)', url_template: 'https://t/{id}' })],
  customEmoji: (name) =>
    name === 'party' || name === 'heart'
      ? { id: '1', source_url: `/user_avatars/2/emoji/images/${name}.png` }
      : undefined,
  userById: (id) => users.find((user) => user.id === id),
  usersByName: (name) => users.filter((user) => user.full_name.toLowerCase() === name.toLowerCase()),
  groupByName: (name) => groups.find((group) => group.name === name),
  channelByName: (name) => channels.find((channel) => channel.name === name),
  topicAnchor: (channel_id, topic) => (channel_id === 3 && topic === 'logo v2' ? 91 : undefined),
}
