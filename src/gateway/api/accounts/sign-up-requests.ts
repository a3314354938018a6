/** The queue of users who signed up and wait for the approval of an administrator (`sign_up_approval_required`). */
import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { realmHost, realmUrl } from '../../../config/hosts.js'
import { errors } from '../../../domain/protocol/errors.js'
import { approveSignUp, loadWaitingSignUps, refuseSignUp } from '../../../store/users/sign-ups.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { idInPath } from '../../call/params.js'

export const getSignUps = endpoint({
  method: 'GET',
  path: '/sign_ups',
  summary: 'Lists the users who signed up and wait for approval, the first one first.',
  callers: 'administrator',
  params: {},
  response: z.object({
    sign_ups: z.array(
      z.object({
        id: z.int(),
        email: z.string(),
        mail_domain: z
          .string()
          .describe('the domain of the address in ASCII: letters that look like others show as `xn--`'),
        full_name: z.string(),
        confirmed_at: z.int().describe('UNIX seconds'),
      }),
    ),
  }),
  errors: [errors.notAdministrator],
  async handle({ app, realm }) {
    const rows = await loadWaitingSignUps(app.store.sql, realm.id)
    return {
      sign_ups: rows.map(({ id, email, full_name, confirmed_at }) => ({
        id,
        email,
        mail_domain: domainToASCII(email.slice(email.lastIndexOf('@') + 1)),
        full_name,
        confirmed_at: confirmed_at ?? 0,
      })),
    }
  },
})

const decision = {
  callers: 'administrator',
  params: { sign_up_id: idInPath() },
  response: z.object({}),
  errors: [errors.notAdministrator],
  changesStructure: true,
  noExample: 'It needs a user who signed up.',
} as const

export const approveSignUpRequest = endpoint({
  ...decision,
  method: 'POST',
  path: '/sign_ups/{sign_up_id}/approve',
  summary: 'Creates the account of a user who waits for approval, and mails the user.',
  async handle(call) {
    await approveSignUp(call.write, composePlace(call), call.params.sign_up_id)
    return {}
  },
})

export const refuseSignUpRequest = endpoint({
  ...decision,
  method: 'DELETE',
  path: '/sign_ups/{sign_up_id}',
  summary: 'Refuses a user who waits for approval, and mails the user.',
  async handle(call) {
    await refuseSignUp(call.write, composePlace(call), call.params.sign_up_id)
    return {}
  },
})

const composePlace = ({ app: { config }, state }: Pick<Call, 'app' | 'state'>) => {
  const { string_id } = state.realm
  return { host: realmHost(string_id, config), realm_url: realmUrl(string_id, config) }
}
