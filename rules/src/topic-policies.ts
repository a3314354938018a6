/** How a user wants to hear of a topic. */

/** As its channel says, not at all, although the channel is muted, or always. */
export const TopicPolicy = { inherit: 0, muted: 1, unmuted: 2, followed: 3 } as const

/** One of the policies. */
export type TopicPolicy = (typeof TopicPolicy)[keyof typeof TopicPolicy]

/** Whether messages of a topic are muted. @param policy the user's policy for the topic; undefined: none */
export const isTopicMuted = (policy: number | undefined, isChannelMuted: boolean): boolean =>
  policy === TopicPolicy.muted || (isChannelMuted && policy !== TopicPolicy.unmuted && policy !== TopicPolicy.followed)
