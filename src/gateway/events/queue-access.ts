/** Whether an API key may read an event queue of its account. */
import { maySeeBotKeys } from '../../domain/api-keys/api-keys.js'
import type { ApiKeyRow } from '../../domain/log/rows.js'
import { receivesBotKeys } from '../../domain/register/queue-request.js'
import type { Queue } from '../../store/register/event-queues.js'

/** Whether the key may read the queue. One that may not see the keys of bots reads no queue that receives them. */
export const mayReadQueue = (key: ApiKeyRow | undefined, { profile }: Queue): boolean =>
  maySeeBotKeys(key) || !receivesBotKeys(profile)
