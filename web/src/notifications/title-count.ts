/** The number in the title of the page. */
import { TopicPolicy, topicPolicy } from '#rules/topic-policies.js'
import type { Chat } from '../realm/chat.js'
import { countAll, countDirect, currentMuting } from '../realm/unread.js'

/** The values of the setting `desktop_icon_count_display`. */
const countedMessages = { all: 1, directMentionsAndFollowed: 2, directAndMentions: 3, none: 4 } as const

/** The number of unread messages that the user wants to see in the title. */
export const titleCount = (chat: Chat): number => {
  const unread = chat.unread.value
  const muting = currentMuting(chat)
  const counted = chat.settings.value.desktop_icon_count_display ?? countedMessages.all
  if (counted === countedMessages.none) return 0
  if (counted === countedMessages.all) return countAll(unread, muting).unread
  const direct = countDirect(unread).unread
  let inChannels = 0
  for (const [channelId, topics] of unread.channels) {
    for (const [topic, ids] of topics) {
      const isFollowed = topicPolicy(muting, channelId, topic) === TopicPolicy.followed
      const isWhole = counted === countedMessages.directMentionsAndFollowed && isFollowed
      inChannels += isWhole ? ids.length : ids.filter((id) => unread.mentions.has(id)).length
    }
  }
  return direct + inChannels
}
