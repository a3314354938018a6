/** Mails about an account, to its user or to its requested new address. */

import { secondsNow } from '#rules/time.js'
import { getSetting } from '../../domain/settings/user-settings.js'
import { loadEmailChange } from '../../store/users/email-changes.js'
import { loadPasswordHash } from '../../store/users/passwords.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { mailParagraphs } from './mail-paragraphs.js'

/** The first mail to a new user. */
export const welcomeMail: JobHandler<'welcome_mail'> = async (job) => {
  const { realm, payload } = job
  const { state } = realm
  const user = state.users.get(payload.user_id)
  if (user?.is_active !== true) return noEffect
  const { name } = state.realm
  const { delivery_email: to } = user
  const text = [
    `You have an account at ${name} now.`,
    `Log in as ${to}, with an app of your choice, at:\n\n${payload.realm_url}`,
  ]
  return mailParagraphs(job, { to, subject: `Welcome to ${name}`, paragraphs: text })
}

/** Asks a user to confirm a new address, at that address. */
export const emailChangeMail: JobHandler<'email_change_mail'> = async (job) => {
  const { write, realm, payload } = job
  const { change_id, realm_url } = payload
  const found = await loadEmailChange(write.sql, realm.state, change_id)
  if (found === undefined) return noEffect
  const { change, user } = found
  const { name } = realm.state.realm
  const link = `${realm_url}/confirm_email/${realm.state.deployment.keys.emailChangeToken(realm.id, change_id)}`
  const text = [
    `${user.full_name} of ${name} asks to have this address instead of ${user.delivery_email}.`,
    `If that is you, open this page within a day and confirm it:\n\n${link}`,
    'If not, there is nothing to do: nothing changes.',
  ]
  return mailParagraphs(job, { to: change.email, subject: `Confirm your address at ${name}`, paragraphs: text })
}

/** Tells a user at the old address that the address was changed. */
export const emailChangedMail: JobHandler<'email_changed_mail'> = async (job) => {
  const { realm, payload } = job
  const user = realm.state.users.get(payload.user_id)
  if (user === undefined) return noEffect
  const { name } = realm.state.realm
  const text = [
    `The account of ${user.full_name} at ${name} has another address now: ${user.delivery_email}.`,
    'If you did not want that, tell an administrator of the organization.',
  ]
  return mailParagraphs(job, {
    to: payload.former_email,
    subject: `Your address at ${name} was changed`,
    paragraphs: text,
  })
}

/**
 * Tells a user that another user changed credentials of their account or bot. These are the address, the API key or all
 * credentials.
 */
export const credentialsMail: JobHandler<'credentials_mail'> = async (job) => {
  const { realm, payload } = job
  const { state } = realm
  const [user, actor] = [state.users.get(payload.user_id), state.users.get(payload.actor_id)]
  if (user === undefined || actor === undefined) return noEffect
  const { name } = state.realm
  const account = user.is_bot ? `your bot ${user.full_name}` : 'your account'
  const changes = {
    email: () => {
      const former = 'former_email' in payload ? payload.former_email : ''
      return `changed the address of ${account} at ${name} from ${former} to ${user.delivery_email}.`
    },
    api_key: () => `replaced the API key of ${account} at ${name}. The former key does not work any more.`,
    credentials: () =>
      `ended the password and the API key of ${account} at ${name}. Choose a new password:\n\n${job.realmUrl(state.realm.string_id)}/accounts/password/reset`,
  }
  const change = changes[payload.changed]()
  const text = [`${actor.full_name} ${change}`, 'If you did not expect this, ask an owner of the organization.']
  const what = { email: 'address', api_key: 'API key', credentials: 'password' }[payload.changed]
  return mailParagraphs(job, {
    to: payload.to,
    subject: `The ${what} of ${account} at ${name} was changed`,
    paragraphs: text,
  })
}

/** Tells a user of a new log-in, unless the user turned these mails off. */
export const loginMail: JobHandler<'login_mail'> = async (job) => {
  const { realm, payload } = job
  const { state } = realm
  const { client, ip, at, realm_url } = payload
  const user = state.users.get(payload.user_id)
  if (user?.is_active !== true || !getSetting(user, 'enable_login_emails')) return noEffect
  const { name } = state.realm
  const time = new Date(at * 1_000).toISOString().slice(0, 16).replace('T', ' ')
  const text = [
    `There was a log-in to your account at ${name}:\n\n  with ${client}\n  from ${ip}\n  at ${time} UTC`,
    'If that was you, there is nothing to do.',
    `If not, choose another password:\n\n${realm_url}/accounts/password/reset`,
  ]
  return mailParagraphs(job, { to: user.delivery_email, subject: `A new log-in at ${name}`, paragraphs: text })
}

const RESET_SECONDS = 86_400

/** Sends a user the link by which a new password can be set. */
export const passwordResetMail: JobHandler<'password_reset_mail'> = async (job) => {
  const { write, realm, payload } = job
  const { user_id, realm_url } = payload
  const user = realm.state.users.get(user_id)
  if (user?.is_active !== true) return noEffect
  const password_hash = (await loadPasswordHash(write.sql, realm.id, user_id)) ?? ''
  const expires_at = secondsNow() + RESET_SECONDS
  const { key_version, delivery_email } = user
  const { name } = realm.state.realm
  const link = `${realm_url}/accounts/password/reset/${realm.state.deployment.keys.passwordResetToken(realm.id, { user_id, expires_at, password_hash, key_version, delivery_email })}`
  const text = [
    `There is a request for another password for your account at ${name}.`,
    `If that is you, choose one within a day on this page:\n\n${link}`,
    'If not, there is nothing to do: nothing changes.',
  ]
  return mailParagraphs(job, { to: user.delivery_email, subject: `Your password at ${name}`, paragraphs: text })
}

/** Tells a user that the password was changed. */
export const passwordChangedMail: JobHandler<'password_changed_mail'> = async (job) => {
  const { realm, payload } = job
  const { state } = realm
  const user = state.users.get(payload.user_id)
  if (user?.is_active !== true) return noEffect
  const { name } = state.realm
  const text = [
    `The password of your account at ${name} was changed, and its API key with it. All devices must log in again.`,
    `If you did not change it, set another password:\n\n${payload.realm_url}/accounts/password/reset`,
  ]
  return mailParagraphs(job, {
    to: user.delivery_email,
    subject: `Your password at ${name} was changed`,
    paragraphs: text,
  })
}

/** Tells a user that the account was deactivated. */
export const deactivationMail: JobHandler<'deactivation_mail'> = async (job) => {
  const { realm, payload } = job
  const { state } = realm
  const [user, actor] = [state.users.get(payload.user_id), state.users.get(payload.actor_id)]
  if (user === undefined || actor === undefined) return noEffect
  const { name } = state.realm
  const text = [
    `${actor.full_name} deactivated your account at ${name}.`,
    ...(payload.comment.trim() === '' ? [] : [`They say:\n\n${payload.comment.trim()}`]),
  ]
  return mailParagraphs(job, {
    to: user.delivery_email,
    subject: `Your account at ${name} was deactivated`,
    paragraphs: text,
  })
}
