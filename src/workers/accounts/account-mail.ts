/** Mails about an account, to its user or to its requested new address, in the language of the account. */

import type { Texts } from '#rules/texts.js'
import { secondsNow } from '#rules/time.js'
import { formatTime } from '../../domain/messages/missed/mail-content.js'
import { accountTexts } from '../../domain/readers/reader-texts.js'
import { getSetting } from '../../domain/settings/user-settings.js'
import type { JobPayloads } from '../../store/jobs/job-table.js'
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
  const t = accountTexts(user)
  const { name: organization } = state.realm
  const { delivery_email: to } = user
  const text = [
    t('You have an account at {organization} now.', { organization }),
    t('Log in as {email}, with an app of your choice, at:\n\n{link}', { email: to, link: payload.realm_url }),
  ]
  return mailParagraphs(job, { to, subject: t('Welcome to {organization}', { organization }), paragraphs: text })
}

/** Asks a user to confirm a new address, at that address. */
export const emailChangeMail: JobHandler<'email_change_mail'> = async (job) => {
  const { write, realm, payload } = job
  const { change_id, realm_url } = payload
  const found = await loadEmailChange(write.sql, realm.state, change_id)
  if (found === undefined) return noEffect
  const { change, user } = found
  const t = accountTexts(user)
  const { name: organization } = realm.state.realm
  const link = `${realm_url}/confirm_email/${realm.state.deployment.keys.emailChangeToken(realm.id, change_id)}`
  const { full_name: name, delivery_email: email } = user
  const text = [
    t('{name} of {organization} asks to have this address instead of {email}.', { name, organization, email }),
    t('If that is you, open this page within a day and confirm it:\n\n{link}', { link }),
    t('If not, there is nothing to do: nothing changes.'),
  ]
  const subject = t('Confirm your address at {organization}', { organization })
  return mailParagraphs(job, { to: change.email, subject, paragraphs: text })
}

/** Tells a user at the old address that the address was changed. */
export const emailChangedMail: JobHandler<'email_changed_mail'> = async (job) => {
  const { realm, payload } = job
  const user = realm.state.users.get(payload.user_id)
  if (user === undefined) return noEffect
  const t = accountTexts(user)
  const { name: organization } = realm.state.realm
  const { full_name: name, delivery_email: email } = user
  const text = [
    t('The account of {name} at {organization} has another address now: {email}.', { name, organization, email }),
    t('If you did not want that, tell an administrator of the organization.'),
  ]
  const subject = t('Your address at {organization} was changed', { organization })
  return mailParagraphs(job, { to: payload.former_email, subject, paragraphs: text })
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
  // The mail about a bot goes to its owner (store/users/credential-mails.ts).
  const t = accountTexts((user.is_bot ? state.users.get(user.bot_owner_id ?? 0) : undefined) ?? user)
  const values = {
    actor: actor.full_name,
    bot: user.full_name,
    organization: state.realm.name,
    former: 'former_email' in payload ? payload.former_email : '',
    email: user.delivery_email,
    link: `${job.realmUrl(state.realm.string_id)}/accounts/password/reset`,
  }
  const { subject, change } = (user.is_bot ? describeBotChange : describeAccountChange)(t, payload.changed, values)
  const text = [change, t('If you did not expect this, ask an owner of the organization.')]
  return mailParagraphs(job, { to: payload.to, subject, paragraphs: text })
}

type CredentialChange = JobPayloads['credentials_mail']['changed']
type CredentialValues = Record<'actor' | 'bot' | 'organization' | 'former' | 'email' | 'link', string>

const describeAccountChange = (t: Texts, changed: CredentialChange, values: CredentialValues) => {
  switch (changed) {
    case 'email':
      return {
        subject: t('The address of your account at {organization} was changed', values),
        change: t('{actor} changed the address of your account at {organization} from {former} to {email}.', values),
      }
    case 'api_key':
      return {
        subject: t('The API key of your account at {organization} was changed', values),
        change: t(
          '{actor} replaced the API key of your account at {organization}. The former key does not work any more.',
          values,
        ),
      }
    case 'credentials':
      return {
        subject: t('The password of your account at {organization} was changed', values),
        change: t(
          '{actor} ended the password and the API key of your account at {organization}. Choose a new password:\n\n{link}',
          values,
        ),
      }
  }
}

const describeBotChange = (t: Texts, changed: CredentialChange, values: CredentialValues) => {
  switch (changed) {
    case 'email':
      return {
        subject: t('The address of your bot {bot} at {organization} was changed', values),
        change: t('{actor} changed the address of your bot {bot} at {organization} from {former} to {email}.', values),
      }
    case 'api_key':
      return {
        subject: t('The API key of your bot {bot} at {organization} was changed', values),
        change: t(
          '{actor} replaced the API key of your bot {bot} at {organization}. The former key does not work any more.',
          values,
        ),
      }
    case 'credentials':
      return {
        subject: t('The password of your bot {bot} at {organization} was changed', values),
        change: t(
          '{actor} ended the password and the API key of your bot {bot} at {organization}. Choose a new password:\n\n{link}',
          values,
        ),
      }
  }
}

/** Tells a user of a new log-in, unless the user turned these mails off. */
export const loginMail: JobHandler<'login_mail'> = async (job) => {
  const { realm, payload } = job
  const { state } = realm
  const { client, ip, at, realm_url } = payload
  const user = state.users.get(payload.user_id)
  if (user?.is_active !== true || !getSetting(user, 'enable_login_emails')) return noEffect
  const t = accountTexts(user)
  const { name: organization } = state.realm
  const { twenty_four_hour_time } = state.userSettings(user)
  const time = formatTime(at, { language: t.language, timezone: user.timezone, twenty_four_hour_time })
  const text = [
    t('There was a log-in to your account at {organization}:\n\n  with {program}\n  from {address}\n  at {time}', {
      organization,
      program: client,
      address: ip,
      time,
    }),
    t('If that was you, there is nothing to do.'),
    t('If not, choose another password:\n\n{link}', { link: `${realm_url}/accounts/password/reset` }),
  ]
  const subject = t('A new log-in at {organization}', { organization })
  return mailParagraphs(job, { to: user.delivery_email, subject, paragraphs: text })
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
  const t = accountTexts(user)
  const { name: organization } = realm.state.realm
  const link = `${realm_url}/accounts/password/reset/${realm.state.deployment.keys.passwordResetToken(realm.id, { user_id, expires_at, password_hash, key_version, delivery_email })}`
  const text = [
    t('There is a request for another password for your account at {organization}.', { organization }),
    t('If that is you, choose one within a day on this page:\n\n{link}', { link }),
    t('If not, there is nothing to do: nothing changes.'),
  ]
  const subject = t('Your password at {organization}', { organization })
  return mailParagraphs(job, { to: user.delivery_email, subject, paragraphs: text })
}

/** Tells a user that the password was changed. */
export const passwordChangedMail: JobHandler<'password_changed_mail'> = async (job) => {
  const { realm, payload } = job
  const { state } = realm
  const user = state.users.get(payload.user_id)
  if (user?.is_active !== true) return noEffect
  const t = accountTexts(user)
  const { name: organization } = state.realm
  const link = `${payload.realm_url}/accounts/password/reset`
  const text = [
    t(
      'The password of your account at {organization} was changed, and its API key with it. All devices must log in again.',
      { organization },
    ),
    t('If you did not change it, set another password:\n\n{link}', { link }),
  ]
  const subject = t('Your password at {organization} was changed', { organization })
  return mailParagraphs(job, { to: user.delivery_email, subject, paragraphs: text })
}

/** Tells a user that the account was deactivated. */
export const deactivationMail: JobHandler<'deactivation_mail'> = async (job) => {
  const { realm, payload } = job
  const { state } = realm
  const [user, actor] = [state.users.get(payload.user_id), state.users.get(payload.actor_id)]
  if (user === undefined || actor === undefined) return noEffect
  const t = accountTexts(user)
  const { name: organization } = state.realm
  const comment = payload.comment.trim()
  const text = [
    t('{actor} deactivated your account at {organization}.', { actor: actor.full_name, organization }),
    ...(comment === '' ? [] : [t('They say:\n\n{comment}', { comment })]),
  ]
  const subject = t('Your account at {organization} was deactivated', { organization })
  return mailParagraphs(job, { to: user.delivery_email, subject, paragraphs: text })
}
