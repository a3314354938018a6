/** Where a playground shows a code. */
import { parseTemplate } from 'url-template'

/** Returns the address of a code in a playground. Undefined if the template makes no address of a web site of it. */
export const playgroundAddress = (template: string, code: string): string | undefined => {
  try {
    const { protocol, href } = new URL(parseTemplate(template).expand({ code }))
    return protocol === 'https:' || protocol === 'http:' ? href : undefined
  } catch {
    // A template without a host, or code with half of a character, which no address can have.
    return undefined
  }
}
