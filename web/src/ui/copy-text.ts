import { t } from '../languages/t.js'
import { say } from './status-line.js'

const REFUSED = t('The browser does not allow this page to copy. Select the text and copy it yourself.')

/** Writes a text to the clipboard. Throws an Error in words for the user. */
export const writeToClipboard = async (text: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
  } catch (cause) {
    throw new Error(REFUSED, { cause })
  }
}

/** Copies a text, and says so. @param said what the user is told then. @returns whether the browser allowed it */
export const copyText = async (text: string, said: string): Promise<boolean> => {
  try {
    await writeToClipboard(text)
  } catch (error) {
    say({ text: (error as Error).message, isFailure: true })
    return false
  }
  say({ text: said })
  return true
}
