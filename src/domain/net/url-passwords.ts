/** Passwords in URLs of services: characters that end or change a part of a URL have to be encoded. */

/** What an operator has to write in the place of these characters. */
export const HOW_TO_ENCODE_PASSWORDS = 'In a password, write @ as %40, / as %2F, ? as %3F, # as %23 and % as %25'

/**
 * Says that the login of a URL contains such a character; undefined: it does not. Repeats no part of the URL: it may be
 * the password. Without this check, the rest of a password would be taken for a host, and errors would print it.
 */
export const findUnencodedLogin = (url: string): string | undefined => {
  const [, authority = '', rest = ''] = /^[^:/?#]*:\/\/([^/?#]*)(.*)$/s.exec(url) ?? []
  const hasMark = authority.indexOf('@') !== authority.lastIndexOf('@') || rest.includes('@')
  const login = authority.slice(0, Math.max(0, authority.lastIndexOf('@')))
  const isEncoded = /^(?:[^%]|%[\da-f]{2})*$/i.test(login)
  return hasMark || !isEncoded
    ? `has a user name or password that is not encoded. ${HOW_TO_ENCODE_PASSWORDS}`
    : undefined
}
