/** How much the organization is used, for administrators. The protocol has no such call: this one is ours. */
import { z } from 'zod'
import { secondsNow } from '#rules/time.js'
import { countMessagesByDay, loadActivity } from '../../../store/realm/statistics.js'
import { endpoint } from '../../call/endpoint.js'
import { int } from '../../call/params.js'

export const getStatistics = endpoint({
  method: 'GET',
  path: '/realm/statistics',
  summary: 'Counts the messages of each of the last days, and the users who were active.',
  callers: 'administrator',
  params: { days: int({ min: 1, max: 366 }).default(30).describe('how many days of UTC, today included') },
  noExample: 'It would count the messages of all other examples.',
  response: z.object({
    days: z
      .array(
        z.object({
          timestamp: z.int().describe('UNIX seconds: when the day began in UTC'),
          channel_messages: z.int(),
          direct_messages: z.int(),
          senders: z.int().describe('how many people sent one of them'),
        }),
      )
      .describe('the days with messages, oldest first'),
    active_users: z
      .object({ day: z.int(), week: z.int(), month: z.int() })
      .describe('people who were active within the last day, 7 days and 30 days'),
    upload_bytes: z.int().describe('the size of all uploaded files'),
  }),
  // It reads all messages of these days.
  isHeavy: () => true,
  async handle({ app, realm, params }) {
    const now = secondsNow()
    const days = await app.store.standbys.run(realm, (sql) => countMessagesByDay(sql, realm.id, { ...params, now }))
    return { days, ...(await loadActivity(app.store.sql, realm.id, now)) }
  },
})
