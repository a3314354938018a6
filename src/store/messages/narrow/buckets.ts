/**
 * Buckets of the indexes of words: ranges of neighbouring message ids, in two sizes. A message has a word for its
 * bucket of each size, so a search for a common word reads only the hits near an edge (search-index.ts, 4).
 */

/** The sizes, as powers of two. */
export const [SMALL, LARGE] = [14, 17] as const

/** The word of a bucket. No form of a word begins with an @. */
export const bucketWord = (realm_id: number, power: number, bucket: number): string => `${realm_id}@${power}.${bucket}`

/** The words of the buckets of a message. */
export const bucketWords = (realm_id: number, id: number): string[] =>
  [SMALL, LARGE].map((power) => bucketWord(realm_id, power, Math.floor(id / 2 ** power)))
