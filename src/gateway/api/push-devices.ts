/**
 * Devices that want push notifications.
 *
 * They are remembered, so that clients can go on as they do elsewhere; but there is no service here that could reach
 * them, which /register and /server_settings say (`push_notifications_enabled` false). Source: endpoints.md 3.7.
 */
import { z } from 'zod'
import { errors } from '../../domain/errors.js'
import { addDevice, hasDevice, type PushDevice, removeDevice } from '../../store/users/push-devices.js'
import { endpoint } from '../http/endpoint.js'
import { str } from '../http/params.js'

/** Longer ones no system gives. */
const LONGEST_TOKEN = 4_096

const token = str().describe(`1 to ${LONGEST_TOKEN} characters`)

export const addAppleDevice = endpoint({
  method: 'POST',
  path: '/users/me/apns_device_token',
  summary: 'Adds a device that is reached through Apple.',
  who: 'human',
  params: { token, appid: str({ pattern: /^[.a-zA-Z0-9-]+$/ }) },
  response: z.object({}),
  async handle({ app, realm, caller, params }) {
    const device = checked({ kind: 'apns', token: params.token, app_id: params.appid })
    await addDevice(app.store.sql, { realm_id: realm.id, user_id: caller.id }, device)
    return {}
  },
})

export const removeAppleDevice = endpoint({
  method: 'DELETE',
  path: '/users/me/apns_device_token',
  summary: 'Removes a device that is reached through Apple.',
  who: 'human',
  params: { token },
  response: z.object({}),
  async handle({ app, realm, caller, params }) {
    const owner = { realm_id: realm.id, user_id: caller.id }
    return removed(await removeDevice(app.store.sql, owner, checked({ kind: 'apns', token: params.token })))
  },
})

export const addAndroidDevice = endpoint({
  method: 'POST',
  path: '/users/me/android_gcm_reg_id',
  summary: 'Adds a device that is reached through Google.',
  who: 'human',
  params: { token },
  response: z.object({}),
  async handle({ app, realm, caller, params }) {
    const device = checked({ kind: 'fcm', token: params.token })
    await addDevice(app.store.sql, { realm_id: realm.id, user_id: caller.id }, device)
    return {}
  },
})

export const removeAndroidDevice = endpoint({
  method: 'DELETE',
  path: '/users/me/android_gcm_reg_id',
  summary: 'Removes a device that is reached through Google.',
  who: 'human',
  params: { token },
  response: z.object({}),
  async handle({ app, realm, caller, params }) {
    const owner = { realm_id: realm.id, user_id: caller.id }
    return removed(await removeDevice(app.store.sql, owner, checked({ kind: 'fcm', token: params.token })))
  },
})

export const testPushNotification = endpoint({
  method: 'POST',
  path: '/mobile_push/test_notification',
  summary: 'Sends a push notification to try it. There is no push service here, so nothing arrives.',
  who: 'human',
  params: { token: str().optional().describe('one device; all of them when left out') },
  response: z.object({}),
  errors: [errors.invalidPushDevice],
  async handle({ app, realm, caller, params }) {
    const owner = { realm_id: realm.id, user_id: caller.id }
    if (params.token !== undefined && !(await hasDevice(app.store.sql, owner, params.token))) {
      throw errors.invalidPushDevice()
    }
    return {}
  },
})

/** The device, if its token can be one. Throws BAD_REQUEST. */
const checked = (device: PushDevice): PushDevice => {
  const { kind, token } = device
  if (token === '' || token.length > LONGEST_TOKEN) throw errors.badRequest('A token has 1 to 4096 characters.')
  if (kind === 'apns' && !/^[0-9a-f]+$/i.test(token)) throw errors.badRequest('An APNs token is a hexadecimal number.')
  return device
}

const removed = (wasThere: boolean) => {
  if (!wasThere) throw errors.badRequest('No device of yours is registered with this token.')
  return {}
}
