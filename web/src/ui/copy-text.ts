import { say } from './status-line.js'

/** Copies a text, and says so. @param said what the user is told then */
export const copyText = async (text: string, said: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
    say({ text: said })
  } catch {
    say({
      text: 'The browser does not allow this page to copy. Select the text and copy it yourself.',
      isFailure: true,
    })
  }
}
