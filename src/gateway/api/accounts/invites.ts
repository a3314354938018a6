/**
 * Creates invitations, by email address and by link. For listing and revoking them see open-invites.ts, for joining
 * join.ts.
 *
 * Source: the API document, endpoint 10; protocol/endpoints.md 1.10 and 3.9; protocol/permissions.md 11.
 */
import { z } from 'zod'
import { realmUrl } from '../../../config/hosts.js'
import { limits } from '../../../domain/limits/limits.js'
import { Role } from '../../../domain/log/rows.js'
import { errors } from '../../../domain/protocol/errors.js'
import { since } from '../../../domain/protocol/later-levels.js'
import { MAX_WELCOME_LENGTH } from '../../../domain/settings/realm-settings.js'
import {
  checkInvitationGrants,
  checkInviter,
  joinUrl,
  parseInvitees,
  selectUninvited,
  validateInvitees,
} from '../../../domain/users/accounts/invitations.js'
import { createInvitationLink, findInvitedAddresses, inviteAddresses } from '../../../store/users/invitations.js'
import { consumeAllowances } from '../../call/allowances.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { bool, int, intIn, json, literal, str, text } from '../../call/params.js'

/** A hundred years: the time at which an invitation ends has to be one that clients can show. */
const MOST_MINUTES = 100 * 365 * 24 * 60

const invitationParams = {
  invite_expires_in_minutes: int({ min: 1, max: MOST_MINUTES })
    .nullable()
    .default(limits.invitation_default_minutes)
    .describe('null: never'),
  invite_as: intIn(...Object.values(Role)).default(Role.member),
  group_ids: json(z.array(z.int())).default([]).describe('groups to which the new user is added'),
  include_realm_default_subscriptions: bool().default(false),
  welcome_message_custom_text: literal(since(416, text({ max: MAX_WELCOME_LENGTH })))
    .optional()
    .describe('what the Notification Bot writes to users who join; default: the text of the organization'),
}

export const sendInvites = endpoint({
  method: 'POST',
  path: '/invites',
  summary: 'Invites users by mail.',
  callers: 'account',
  permission: 'can_invite_users_group',
  condition: 'Guests and bots may not. The role is at most as strong as that of the inviter.',
  params: {
    invitee_emails: str().describe('separated by commas or lines'),
    stream_ids: json(z.array(z.int())).describe(
      'channels to which the new user is subscribed; the caller may subscribe others to each of them',
    ),
    ...invitationParams,
    notify_referrer_on_join: bool().default(true),
  },
  example: { invitee_emails: 'omar@example.com', stream_ids: [], invite_as: 400 },
  response: z.object({}),
  errors: [errors.invitationFailed, errors.notOwner],
  allowances: ['invitations_by_realm'],
  changesStructure: true,
  async handle(call) {
    const { app, realm, state, caller, params, write } = call
    checkInviter(caller.user, params.invite_as)
    const emails = parseInvitees(params.invitee_emails)
    const given = { ...composeInvitation(call), notify_referrer_on_join: params.notify_referrer_on_join }
    checkInvitationGrants(state, caller.user, given)
    const invitees = validateInvitees(state, caller.user, emails)
    const invited = await findInvitedAddresses(app.store.sql, state, invitees.fit)
    const { newEmails, skipped } = selectUninvited(invitees, invited)
    const exceeded = () =>
      errors.invitationFailed('This organization has reached its daily limit of invitations.', [], {
        sent_invitations: false,
        license_limit_reached: false,
        daily_limit_reached: true,
      })
    await consumeAllowances(call, { invitations_by_realm: String(realm.id) }, { count: newEmails.length, exceeded })
    await inviteAddresses(write, currentRealmUrl(call), newEmails, given)
    // Final, because the other addresses were invited.
    if (skipped.length > 0) {
      throw errors
        .invitationFailed('Some of these addresses were not invited; all others were.', skipped, {
          sent_invitations: true,
          license_limit_reached: false,
          daily_limit_reached: false,
        })
        .asFinal()
    }
    return {}
  },
})

export const createInviteLink = endpoint({
  method: 'POST',
  path: '/invites/multiuse',
  summary: 'Creates a link by which anyone can join.',
  callers: 'account',
  permission: 'create_multiuse_invite_group',
  condition: 'Guests and bots may not. The role is at most as strong as that of the inviter.',
  params: { stream_ids: json(z.array(z.int())).default([]), ...invitationParams },
  example: { stream_ids: [] },
  response: z.object({ invite_link: z.string() }),
  errors: [errors.notOwner],
  changesStructure: true,
  async handle(call) {
    const { state, caller, params, write } = call
    checkInviter(caller.user, params.invite_as)
    const given = { ...composeInvitation(call), notify_referrer_on_join: false }
    checkInvitationGrants(state, caller.user, given)
    const composeAnswer = (id: number) => ({ invite_link: joinLink(call, id) })
    return write.answering(composeAnswer, (keyed) => createInvitationLink(keyed, given))
  },
})

const composeInvitation = ({
  caller,
  params,
}: Pick<
  Call<typeof invitationParams & { stream_ids: (typeof sendInvites)['params']['stream_ids'] }>,
  'caller' | 'params'
>) => ({
  invited_by: caller.id,
  invited_as: params.invite_as,
  expires_in_minutes: params.invite_expires_in_minutes,
  channel_ids: params.stream_ids,
  group_ids: params.group_ids,
  include_realm_default_subscriptions: params.include_realm_default_subscriptions,
  welcome_message: params.welcome_message_custom_text ?? null,
})

/** The address of the organization that the request selects. */
export const currentRealmUrl = ({ app, state }: Pick<Call, 'app' | 'state'>): string =>
  realmUrl(state.realm.string_id, app.config)

/** The join URL of an invitation by link. */
export const joinLink = (call: Pick<Call, 'app' | 'realm' | 'state'>, id: number): string =>
  joinUrl(currentRealmUrl(call), call.state.deployment.keys.invitationToken(call.realm.id, id))
