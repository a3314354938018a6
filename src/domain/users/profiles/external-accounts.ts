/** The external services that a profile field of type 7 may name. Source: protocol/register.md 5.1.1. */

export interface ExternalAccount {
  /** of the field */
  name: string
  /** of the service */
  text: string
  hint: string
  url_pattern: string
}

/** By subtype. A field of subtype `custom` brings its own pattern. */
export const externalAccounts: Readonly<Record<string, ExternalAccount>> = {
  github: {
    name: 'GitHub username',
    text: 'GitHub',
    hint: '',
    url_pattern: 'https://github.com/%(username)s',
  },
  twitter: {
    name: 'Twitter username',
    text: 'Twitter',
    hint: '',
    url_pattern: 'https://twitter.com/%(username)s',
  },
}
