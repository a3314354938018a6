/** How a user wants to hear of a topic, and which topics are muted. Source: protocol/messages.md 1.3 and 5.3. */

/** As its channel says, not at all, although the channel is muted, or always. */
export const TopicPolicy = { inherit: 0, muted: 1, unmuted: 2, followed: 3 } as const

/** One of the policies. */
export type TopicPolicy = (typeof TopicPolicy)[keyof typeof TopicPolicy]

/** Whether messages of a topic are muted. @param policy the user's policy for the topic; undefined: none */
export const isTopicMuted = (policy: number | undefined, isChannelMuted: boolean): boolean =>
  policy === TopicPolicy.muted || (isChannelMuted && policy !== TopicPolicy.unmuted && policy !== TopicPolicy.followed)

/** What a user has chosen to hear of. Stores that have maps by channel satisfy it. */
export interface Muting {
  /** the channels to which the user is subscribed */
  readonly subscriptions: { get(channel_id: number): { readonly is_muted: boolean } | undefined }
  /** the policies other than `inherit`, by channel and topic in lower case */
  readonly policies: { get(channel_id: number): { get(folded: string): TopicPolicy | undefined } | undefined }
}

/** The user's policy for a topic. Topics that differ only in case are one topic. */
export const topicPolicy = ({ policies }: Pick<Muting, 'policies'>, channel_id: number, topic: string): TopicPolicy =>
  policies.get(channel_id)?.get(topic.toLowerCase()) ?? TopicPolicy.inherit

/** Whether a user's choices mute a topic. Messages of a channel to which the user is not subscribed count as muted. */
export const isTopicMutedBy = (muting: Muting, channel_id: number, topic: string): boolean =>
  isTopicMuted(topicPolicy(muting, channel_id, topic), muting.subscriptions.get(channel_id)?.is_muted ?? true)
