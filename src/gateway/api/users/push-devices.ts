/**
 * Devices that want push notifications.
 *
 * They are remembered, so that clients can go on as they do elsewhere; but there is no service here that could reach
 * them, which /register and /server_settings say (`push_notifications_enabled` false). Source: endpoints.md 3.7.
 */
import { z } from 'zod'
import { errors } from '../../../domain/protocol/errors.js'
import { addDevice, hasDevice, type PushDevice, removeDevice } from '../../../store/users/push-devices.js'
import { type Call, endpoint } from '../../http/endpoint.js'
import { str } from '../../http/params.js'

/** Longer ones no system gives. */
const LONGEST_TOKEN = 4_096

const token = str().describe(`1 to ${LONGEST_TOKEN} characters`)

const apple = { path: '/users/me/apns_device_token', access: 'human', response: z.object({}) } as const
const android = { ...apple, path: '/users/me/android_gcm_reg_id' } as const

export const addAppleDevice = endpoint({
  ...apple,
  method: 'POST',
  summary: 'Adds a device that is reached through Apple.',
  params: { token, appid: str({ pattern: /^[.a-zA-Z0-9-]+$/ }) },
  handle: (call) => added(call, { kind: 'apns', token: call.params.token, app_id: call.params.appid }),
})

export const removeAppleDevice = endpoint({
  ...apple,
  method: 'DELETE',
  summary: 'Removes a device that is reached through Apple.',
  params: { token },
  handle: (call) => removed(call, { kind: 'apns', token: call.params.token }),
})

export const addAndroidDevice = endpoint({
  ...android,
  method: 'POST',
  summary: 'Adds a device that is reached through Google.',
  params: { token },
  handle: (call) => added(call, { kind: 'fcm', token: call.params.token }),
})

export const removeAndroidDevice = endpoint({
  ...android,
  method: 'DELETE',
  summary: 'Removes a device that is reached through Google.',
  params: { token },
  handle: (call) => removed(call, { kind: 'fcm', token: call.params.token }),
})

export const testPushNotification = endpoint({
  method: 'POST',
  path: '/mobile_push/test_notification',
  summary: 'Sends a push notification to try it. There is no push service here, so nothing arrives.',
  access: 'human',
  params: { token: str().optional().describe('one device; all of them when left out') },
  response: z.object({}),
  errors: [errors.invalidPushDevice],
  async handle(call) {
    const { token } = call.params
    if (token !== undefined && !(await hasDevice(call.app.store.sql, ownerOf(call), token))) {
      throw errors.invalidPushDevice()
    }
    return {}
  },
})

type DeviceCall = Pick<Call, 'app' | 'realm' | 'caller'>

const ownerOf = ({ realm, caller }: DeviceCall) => ({ realm_id: realm.id, user_id: caller.id })

const added = async (call: DeviceCall, device: PushDevice) => {
  await addDevice(call.app.store.sql, ownerOf(call), checked(device))
  return {}
}

const removed = async (call: DeviceCall, device: PushDevice) => {
  if (!(await removeDevice(call.app.store.sql, ownerOf(call), checked(device))))
    throw errors.badRequest('No device of yours is registered with this token.')
  return {}
}

/** The device, if its token can be one. Throws BAD_REQUEST. */
const checked = (device: PushDevice): PushDevice => {
  const { kind, token } = device
  if (token === '' || token.length > LONGEST_TOKEN) throw errors.badRequest('A token has 1 to 4096 characters.')
  if (kind === 'apns' && !/^[0-9a-f]+$/i.test(token)) throw errors.badRequest('An APNs token is a hexadecimal number.')
  return device
}
