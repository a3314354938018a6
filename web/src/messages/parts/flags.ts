import type { Message } from '@parley/client'

type Flag = NonNullable<Message['flags']>[number]

/** Whether a message has a flag for the user, such as `read` or `starred`. */
export const hasFlag = ({ flags }: Pick<Message, 'flags'>, flag: Flag): boolean => flags?.includes(flag) === true

/** Whether a message mentions the user, also through a group, or everyone. */
export const isMention = ({ flags }: Pick<Message, 'flags'>): boolean =>
  flags?.some((flag) => flag === 'mentioned' || flag.endsWith('wildcard_mentioned')) === true
