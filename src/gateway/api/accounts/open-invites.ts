/**
 * Invitations that are still open: listing, revoking and resending them.
 *
 * Source: protocol/endpoints.md 3.9, protocol/permissions.md 11.
 */
import { z } from 'zod'
import { isAdministrator } from '#rules/roles.js'
import { errors } from '../../../domain/protocol/errors.js'
import { checkRevoker, maySeeLink } from '../../../domain/users/accounts/invitations.js'
import {
  type InvitationRow,
  loadInvitation,
  loadOpenInvitations,
  resendInvitation,
  revokeInvitation,
} from '../../../store/users/invitations.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { idInPath } from '../../call/params.js'
import { currentRealmUrl, joinLink } from './invites.js'

const invitation = z.object({
  id: z.int(),
  invited_by_user_id: z.int(),
  invited: z.int().describe('UNIX seconds'),
  expiry_date: z.int().nullable(),
  invited_as: z.int(),
  is_multiuse: z.boolean(),
  email: z.string().optional(),
  notify_referrer_on_join: z.boolean().optional(),
  link_url: z.string().optional().describe('of a reusable invitation; only owners see that of one for owners'),
})

export const getInvites = endpoint({
  method: 'GET',
  path: '/invites',
  summary: 'Lists the open invitations: all of them for administrators, their own for other users.',
  callers: 'member',
  keyScope: 'administer',
  params: {},
  response: z.object({ invites: z.array(invitation) }),
  async handle(call) {
    const { app, state, caller } = call
    const rows = await loadOpenInvitations(app.store.sql, state)
    const shown = rows.filter((row) => isAdministrator(caller.user) || row.invited_by === caller.id)
    return {
      invites: shown.map((row) => ({
        id: row.id,
        invited_by_user_id: row.invited_by,
        invited: row.invited_at,
        expiry_date: row.expires_at,
        invited_as: row.invited_as,
        is_multiuse: row.email === null,
        ...(row.email === null
          ? { ...(maySeeLink(caller.user, row) ? { link_url: joinLink(call, row.id) } : {}) }
          : { email: row.email, notify_referrer_on_join: row.notify_referrer_on_join }),
      })),
    }
  },
})

const invitationEndpoint = {
  callers: 'member',
  keyScope: 'administer',
  params: { invite_id: idInPath() },
  response: z.object({}),
  errors: [errors.notAdministrator, errors.notOwner],
} as const

export const revokeInvite = endpoint({
  ...invitationEndpoint,
  method: 'DELETE',
  path: '/invites/{invite_id}',
  summary: 'Revokes an invitation by mail.',
  condition: 'The caller sent the invitation or is an administrator. Only owners do this to one for owners.',
  async handle(call) {
    const row = await findRevocableInvitation(call, call.params.invite_id, 'address')
    await revokeInvitation(call.write, row)
    return {}
  },
})

export const revokeInviteLink = endpoint({
  ...invitationEndpoint,
  method: 'DELETE',
  path: '/invites/multiuse/{invite_id}',
  summary: 'Revokes an invitation link.',
  condition: 'The caller sent the invitation or is an administrator. Only owners do this to one for owners.',
  example: { invite_id: '{invite_link_id}' },
  async handle(call) {
    const row = await findRevocableInvitation(call, call.params.invite_id, 'link')
    if (row.is_revoked) throw errors.badRequest('This invitation is already revoked.')
    await revokeInvitation(call.write, row)
    return {}
  },
})

export const resendInvite = endpoint({
  ...invitationEndpoint,
  method: 'POST',
  path: '/invites/{invite_id}/resend',
  summary: 'Mails an invitation again. Its expiry date does not change.',
  condition: 'The caller sent the invitation or is an administrator. Only owners do this to one for owners.',
  async handle(call) {
    const row = await findRevocableInvitation(call, call.params.invite_id, 'address')
    await resendInvitation(call.write, currentRealmUrl(call), row)
    return {}
  },
})

/** The invitation, if the caller may revoke or resend it. Throws BAD_REQUEST. */
const findRevocableInvitation = async (
  { app, caller, realm }: Pick<Call, 'app' | 'caller' | 'realm'>,
  id: number,
  kind: 'address' | 'link',
): Promise<InvitationRow> => {
  const row = await loadInvitation(app.store.sql, realm.id, id, kind)
  if (row === undefined) throw errors.noSuchInvitation()
  checkRevoker(caller.user, row)
  return row
}
