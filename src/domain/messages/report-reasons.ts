/** The reasons for a report of a message. Each has the `report_type` of a request, and the name that users read. */
export const reportReasons = [
  { key: 'spam', name: 'Spam' },
  { key: 'harassment', name: 'Harassment' },
  { key: 'inappropriate', name: 'Inappropriate content' },
  { key: 'norms', name: 'Against the norms of the community' },
  { key: 'other', name: 'Another reason' },
] as const
