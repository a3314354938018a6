/** The reasons for a report of a message. Each has the `report_type` of a request, and the name that users read. */
import { msg } from '../languages/texts.js'

export const reportReasons = [
  { key: 'spam', name: msg('Spam') },
  { key: 'harassment', name: msg('Harassment') },
  { key: 'inappropriate', name: msg('Inappropriate content') },
  { key: 'norms', name: msg('Against the norms of the community') },
  { key: 'other', name: msg('Another reason') },
] as const
