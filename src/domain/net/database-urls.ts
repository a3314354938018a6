/**
 * The URL of Postgres, which may name several servers: `postgres://user:password@a:5432,b:5432/database`. One of them
 * is the primary; the others are its standbys. It has the form that libpq and its programs accept.
 */

import { findUnencodedLogin, HOW_TO_ENCODE_PASSWORDS } from './url-passwords.js'

const FORM = /^(postgres(?:ql)?:\/\/)(?:(.*)@)?([^@/?]+)(.*)$/
/** The values of target_session_attrs that mean the primary, which is used with or without this parameter. */
const PRIMARY = new Set(['primary', 'read-write'])

/**
 * Splits a URL into one URL per server.
 * @returns a sentence about what is wrong instead, if anything is
 */
export const splitDatabaseUrl = (text: string): string[] | string => {
  const unencoded = findUnencodedLogin(text)
  if (unencoded !== undefined) return unencoded
  const [, scheme, credentials, hosts = '', rest] = FORM.exec(text) ?? []
  if (scheme === undefined) return 'must be postgres://user:password@host:5432/database'
  const urls: string[] = []
  for (const host of hosts.split(',')) {
    const one = `${scheme}${credentials === undefined ? '' : `${credentials}@`}${host}${rest}`
    if (host === '' || !URL.canParse(one))
      return `has a server that is no host or host:port. ${HOW_TO_ENCODE_PASSWORDS}`
    const url = new URL(one)
    const wanted = url.searchParams.get('target_session_attrs')
    if (wanted !== null && !PRIMARY.has(wanted)) return 'may have target_session_attrs=read-write only'
    url.searchParams.delete('target_session_attrs')
    urls.push(url.href)
  }
  return urls
}
