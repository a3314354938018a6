/** Mails to users who sign up: the link that confirms the address, and what an administrator decided. */
import type { Texts } from '#rules/texts.js'
import { textsIn } from '../../domain/languages/texts.js'
import type { RealmState } from '../../domain/log/state.js'
import { accountTexts, organizationTexts } from '../../domain/readers/reader-texts.js'
import { loadSignUp } from '../../store/users/sign-ups.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { mailParagraphs } from './mail-paragraphs.js'

/**
 * Sends the link with which a user signs up. A user who has an account, or waits for approval, is told so instead: only
 * the owner of the address learns it.
 */
export const signUpMail: JobHandler<'sign_up_mail'> = async (job) => {
  const { write, realm, payload } = job
  const { state } = realm
  const row = await loadSignUp(write.sql, realm.id, payload.sign_up_id)
  if (row === undefined || state.settings.invite_required) return noEffect
  const { email: to, language, confirmed_at } = row
  const user = state.userByEmail(to)
  if (user?.is_bot === true) return noEffect
  const { name: organization } = state.realm
  const t = user === undefined ? signUpTexts(state, language) : accountTexts(user)
  const occasion = t('There is a request for an account at {organization} for this address.', { organization })
  const nothingToDo = t('If that was not you, there is nothing to do: nothing changes.')
  if (user !== undefined) {
    const link = payload.realm_url
    const known = user.is_active
      ? t('This address has an account already. If that was you, log in:\n\n{link}', { link })
      : t('This address has an account already, and it is deactivated. Ask an administrator of the organization.')
    const subject = t('Your account of {organization}', { organization })
    return mailParagraphs(job, { to, subject, paragraphs: [occasion, known, nothingToDo] })
  }
  if (confirmed_at !== null) {
    const waits = t('It waits for the approval of an administrator. You get a mail when it is decided.')
    return mailParagraphs(job, {
      to,
      subject: t('Join {organization}', { organization }),
      paragraphs: [occasion, waits],
    })
  }
  const link = `${payload.realm_url}/accounts/sign_up/${state.deployment.keys.signUpToken(realm.id, row)}`
  const text = t('If that was you, choose your name and password on this page within a day:\n\n{link}', { link })
  const subject = t('Join {organization}', { organization })
  return mailParagraphs(job, { to, subject, paragraphs: [occasion, text, nothingToDo] })
}

/** Tells a user what an administrator decided. */
export const signUpDecidedMail: JobHandler<'sign_up_decided_mail'> = (job) => {
  const { state } = job.realm
  const { email: to, is_approved, language, realm_url: link } = job.payload
  const t = signUpTexts(state, language)
  const { name: organization } = state.realm
  const text = is_approved
    ? t('Your account at {organization} was approved. Log in as {email} with your password:\n\n{link}', {
        organization,
        email: to,
        link,
      })
    : t(
        'Your account at {organization} was not approved. Ask an administrator of the organization if you have questions.',
        {
          organization,
        },
      )
  return mailParagraphs(job, { to, subject: t('Your account at {organization}', { organization }), paragraphs: [text] })
}

const signUpTexts = (state: RealmState, language: string): Texts =>
  language === '' ? organizationTexts(state) : textsIn(language)
