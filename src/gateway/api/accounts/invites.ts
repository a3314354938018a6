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
  classifyAddresses,
  joinUrl,
  parseAddresses,
  type RefusedAddress,
} from '../../../domain/users/accounts/invitations.js'
import { createInvitationLink, findInvitedAddresses, inviteAddresses } from '../../../store/users/invitations.js'
import { spendAllowances } from '../../call/allowances.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { bool, int, intIn, json, literal, str, text } from '../../call/params.js'

const invitationParams = {
  invite_expires_in_minutes: int({ min: 1 })
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
  summary: 'Invites users by mail. Guests and bots may not do this.',
  access: 'account',
  params: {
    invitee_emails: str().describe('separated by commas or lines'),
    stream_ids: json(z.array(z.int())).describe(
      'channels to which the new user is subscribed; the caller may subscribe others to each of them',
    ),
    ...invitationParams,
    notify_referrer_on_join: bool().default(true),
  },
  response: z.object({}),
  errors: [errors.invitationFailed, errors.notOwner],
  allowances: ['invitations_by_realm'],
  changesStructure: true,
  async handle(call) {
    const { app, realm, state, caller, params, write } = call
    checkInviter(state, caller.user, 'can_invite_users_group', params.invite_as)
    const emails = parseAddresses(params.invitee_emails)
    if (emails.length === 0) throw errors.badRequest('Name at least one email address.')
    if (emails.length > limits.max_invitations_at_once) {
      throw errors.badRequest(`At most ${limits.max_invitations_at_once} people can be invited at once.`)
    }
    const given = { ...composeInvitation(call), notify_referrer_on_join: params.notify_referrer_on_join }
    checkInvitationGrants(state, caller.user, given)
    const { fit, existing, invalid } = classifyAddresses(state, caller.user, emails)
    if (invalid.length > 0) {
      throw invitationFailed(
        'No invitation was sent: some of these addresses are not valid or may not join.',
        invalid,
        false,
      )
    }
    const before = await findInvitedAddresses(app.store.sql, state, fit)
    const newEmails = fit.filter((email) => !before.has(email.toLowerCase()))
    const skipped: RefusedAddress[] = [
      ...existing,
      ...fit
        .filter((email) => before.has(email.toLowerCase()))
        .map((email): RefusedAddress => [email, 'Already has an invitation.', false]),
    ]
    if (newEmails.length === 0)
      throw invitationFailed(
        'No invitation was sent: all of these addresses have or had an account, or are invited already.',
        skipped,
        false,
      )
    const exceeded = () =>
      invitationFailed('This organization has reached its daily limit of invitations.', [], false, true)
    await spendAllowances(call, { invitations_by_realm: String(realm.id) }, { count: newEmails.length, exceeded })
    await inviteAddresses(write, currentRealmUrl(call), newEmails, given)
    // Final, because the other addresses were invited.
    if (skipped.length > 0)
      throw invitationFailed('Some of these addresses were not invited; all others were.', skipped, true).asFinal()
    return {}
  },
})

const invitationFailed = (
  msg: string,
  unfit: RefusedAddress[],
  sent_invitations: boolean,
  daily_limit_reached = false,
) =>
  errors.invitationFailed({
    msg,
    errors: unfit,
    sent_invitations,
    license_limit_reached: false,
    daily_limit_reached,
  })

export const createInviteLink = endpoint({
  method: 'POST',
  path: '/invites/multiuse',
  summary: 'Creates a link by which anyone can join. Guests and bots may not do this.',
  access: 'account',
  params: { stream_ids: json(z.array(z.int())).default([]), ...invitationParams },
  response: z.object({ invite_link: z.string() }),
  errors: [errors.notOwner],
  changesStructure: true,
  async handle(call) {
    const { state, caller, params, write } = call
    checkInviter(state, caller.user, 'create_multiuse_invite_group', params.invite_as)
    const given = { ...composeInvitation(call), notify_referrer_on_join: false }
    checkInvitationGrants(state, caller.user, given)
    return { invite_link: joinLink(call, await createInvitationLink(write, given)) }
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
