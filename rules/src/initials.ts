/** The letters that stand for an account without a picture. */

/**
 * The initials of a name, at most two. They are those of the first and the last word that begins with a letter or a
 * digit; none of a name without such a word.
 */
export const findInitials = (name: string): string[] => {
  const words = name
    .normalize('NFC')
    .split(/\s+/)
    .filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const [first, last] = [words[0], words.at(-1)]
  const chosen = words.length > 1 ? [first, last] : [first]
  return chosen.flatMap((word) => [...(word ?? '')][0] ?? [])
}
