/** Tells a user what happened to the second factor of the account, in the language of the account. */
import type { Texts } from '#rules/texts.js'
import { formatTime } from '../../domain/messages/missed/mail-content.js'
import { accountTexts } from '../../domain/readers/reader-texts.js'
import type { JobPayloads } from '../../store/jobs/job-table.js'
import { noEffect } from '../jobs/effects.js'
import type { JobHandler } from '../jobs/job-handler.js'
import { mailParagraphs } from './mail-paragraphs.js'

type Happened = JobPayloads['second_factor_mail']['happened']

/** The mail. It goes to everyone whose account it concerns: no setting turns it off. */
export const secondFactorMail: JobHandler<'second_factor_mail'> = async (job) => {
  const { realm, payload } = job
  const { state } = realm
  const { happened, ip, at, realm_url, actor_id } = payload
  const user = state.users.get(payload.user_id)
  if (user?.is_active !== true) return noEffect
  const t = accountTexts(user)
  const { name: organization } = state.realm
  const { twenty_four_hour_time } = state.userSettings(user)
  const time = formatTime(at, { language: t.language, timezone: user.timezone, twenty_four_hour_time })
  const actor = actor_id === null ? undefined : state.users.get(actor_id)?.full_name
  const { subject, change } = describe(t, happened, organization, actor)
  const text = [
    change,
    ip === '' ? t('That was at {time}.', { time }) : t('That was at {time}, from {address}.', { time, address: ip }),
    happened === 'refused'
      ? t('Whoever it was knew your password. If it was not you, choose another one:\n\n{link}', {
          link: `${realm_url}/accounts/password/reset`,
        })
      : t('If you did not expect this, tell an administrator of the organization at once.'),
  ]
  return mailParagraphs(job, { to: user.delivery_email, subject, paragraphs: text })
}

const describe = (t: Texts, happened: Happened, organization: string, actor: string | undefined) => {
  switch (happened) {
    case 'added':
      return {
        subject: t('Your account at {organization} has a second factor', { organization }),
        change: t(
          'Your account at {organization} has a second factor now. Other browsers, apps and programs must log in again.',
          { organization },
        ),
      }
    case 'removed':
      return {
        subject: t('Your account at {organization} has no second factor any more', { organization }),
        change: t('The second factor of your account at {organization} was removed.', { organization }),
      }
    case 'codes_renewed':
      return {
        subject: t('New recovery codes at {organization}', { organization }),
        change: t('Your account at {organization} has new recovery codes. The former ones are not valid any more.', {
          organization,
        }),
      }
    case 'recovery_code_used':
      return {
        subject: t('A recovery code was used at {organization}', { organization }),
        change: t('A recovery code of your account at {organization} was used. It is not valid any more.', {
          organization,
        }),
      }
    case 'refused':
      return {
        subject: t('A wrong code at {organization}', { organization }),
        change: t('A wrong code was entered for the second factor of your account at {organization}.', {
          organization,
        }),
      }
    case 'ended':
      return {
        subject: t('The second factor of your account at {organization} was ended', { organization }),
        change:
          actor === undefined
            ? t(
                'The operator of the server ended the second factor of your account at {organization}, and all its sessions.',
                { organization },
              )
            : t('{actor} ended the second factor of your account at {organization}, and all its sessions.', {
                actor,
                organization,
              }),
      }
  }
}
