/** The invitations that are open, and buttons to revoke them and to send them again. */

import type { Result } from '@parley/client'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Action, ActionStatus, useAction } from '../forms/action.js'
import { t } from '../languages/t.js'
import { useChat } from '../realm/chat.js'
import { userName } from '../realm/names.js'
import { roleName } from '../realm/roles.js'
import { writeToClipboard } from '../ui/copy-text.js'
import { formatFullTime } from '../ui/times.js'

type Invite = Result<'GET /invites'>['invites'][number]

/** The page "Open invitations". */
export const OpenInvites = () => {
  const chat = useChat()
  const action = useAction()
  const invites = useSignal<Invite[] | undefined>(undefined)
  const fetchInvites = async () => {
    invites.value = (await chat.client.call('GET /invites')).invites
  }
  useEffect(() => {
    void action.run(fetchInvites)
    return chat.realm.onEvent((event) => {
      // The event says only that invitations of the organization have changed.
      if (event.type === 'invites_changed') void fetchInvites().catch(() => undefined)
    })
  }, [])
  return (
    <>
      <ActionStatus action={action} />
      {invites.value?.length === 0 && <p class="soft-text">{t('No invitation is open.')}</p>}
      <ul class="dialog-rows">
        {invites.value?.map((invite) => (
          <InviteLine
            key={`${invite.is_multiuse}-${invite.id}`}
            invite={invite}
            action={action}
            fetchInvites={fetchInvites}
          />
        ))}
      </ul>
    </>
  )
}

/** What a link is called, by the role that it gives. */
const linkNames: Readonly<Record<number, string>> = {
  100: t('Link for an owner'),
  200: t('Link for an administrator'),
  300: t('Link for a moderator'),
  400: t('Link for a member'),
  600: t('Link for a guest'),
}

interface InviteLineProps {
  invite: Invite
  action: Action
  fetchInvites: () => Promise<void>
}

const InviteLine = ({ invite, action, fetchInvites }: InviteLineProps) => {
  const chat = useChat()
  const { id: invite_id, email, is_multiuse, invited_as, invited_by_user_id, expiry_date, link_url } = invite
  const name = email ?? linkNames[invited_as] ?? t('Link for a member')
  const revoke = async () => {
    await chat.client.call(is_multiuse ? 'DELETE /invites/multiuse/{invite_id}' : 'DELETE /invites/{invite_id}', {
      invite_id,
    })
    await fetchInvites()
  }
  const resend = () => chat.client.call('POST /invites/{invite_id}/resend', { invite_id })
  return (
    <li class="dialog-row">
      <div class="dialog-row-main">
        <p class="dialog-row-title" dir="auto">
          {name}
        </p>
        <p class="soft-text">
          {roleName(invited_as)} · {t.rich('by {name}', {}, { name: <bdi>{userName(chat, invited_by_user_id)}</bdi> })}{' '}
          ·{' '}
          {expiry_date === null
            ? t('does not expire')
            : t('until {time}', { time: formatFullTime(new Date(expiry_date * 1000)) })}
        </p>
      </div>
      {link_url !== undefined && (
        <button
          type="button"
          class="button"
          aria-label={t('Copy: {name}', { name })}
          onClick={() => action.run(() => writeToClipboard(link_url), t('The link was copied.'))}
        >
          {t('Copy')}
        </button>
      )}
      {!is_multiuse && (
        <button
          type="button"
          class="button"
          aria-label={t('Send again: {name}', { name })}
          disabled={action.state.value.isBusy}
          onClick={() => action.run(resend, t('The invitation was sent again to {address}.', { address: email }))}
        >
          {t('Send again')}
        </button>
      )}
      <button
        type="button"
        class="button"
        aria-label={t('Revoke: {name}', { name })}
        disabled={action.state.value.isBusy}
        onClick={() => action.run(revoke, t('Revoked.'))}
      >
        {t('Revoke')}
      </button>
    </li>
  )
}
