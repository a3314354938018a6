/**
 * What the browser keeps for each user: messages that were not sent, texts, whom the user writes to.
 *
 * It outlives the page, and the end of a session that the user did not ask for. A user who logs out leaves nothing
 * of it to the next user of the browser.
 */

const PREFIX = 'parley.user.'

/** The begin of all keys of a user in the storage of the browser. @param userId undefined for a visitor */
export const userStorage = (userId: number | undefined): string => `${PREFIX}${userId ?? 0}.`

/** Removes what is kept for users. What concerns the browser, such as the theme, stays. */
export const forgetUsers = (): void => {
  try {
    sessionStorage.clear()
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key)
  } catch {
    // The browser allows no storage here.
  }
}
