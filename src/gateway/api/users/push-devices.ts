/**
 * Devices that are registered for push notifications.
 *
 * The server stores them, because existing clients require it, but it sends no push notifications: /register and
 * /server_settings contain `push_notifications_enabled` false. Source: protocol/endpoints.md 3.7.
 */
import { z } from 'zod'
import { errors } from '../../../domain/protocol/errors.js'
import { addDevice, hasDevice, type PushDevice, removeDevice } from '../../../store/users/push-devices.js'
import { type Call, endpoint } from '../../call/endpoint.js'
import { str } from '../../call/params.js'

/** The tokens of all push services are shorter. */
const MAX_TOKEN_LENGTH = 4_096

const token = str().describe(`1 to ${MAX_TOKEN_LENGTH} characters`)

const apple = {
  path: '/users/me/apns_device_token',
  callers: 'human',
  takesAck: false,
  response: z.object({}),
} as const
const android = { ...apple, path: '/users/me/android_gcm_reg_id' } as const

export const addAppleDevice = endpoint({
  ...apple,
  method: 'POST',
  summary: 'Registers a device with an APNs token.',
  keyScope: 'none',
  params: { token, appid: str({ pattern: /^[.a-zA-Z0-9-]+$/ }) },
  example: { token: 'c0ffee', appid: 'org.zulip.Zulip' },
  handle: (call) => register(call, { kind: 'apns', token: call.params.token, app_id: call.params.appid }),
})

export const removeAppleDevice = endpoint({
  ...apple,
  method: 'DELETE',
  summary: 'Unregisters a device with an APNs token.',
  params: { token },
  example: { token: '{apple_token}' },
  handle: (call) => unregister(call, { kind: 'apns', token: call.params.token }),
})

export const addAndroidDevice = endpoint({
  ...android,
  method: 'POST',
  summary: 'Registers a device with an FCM token.',
  keyScope: 'none',
  params: { token },
  example: { token: 'cafe' },
  handle: (call) => register(call, { kind: 'fcm', token: call.params.token }),
})

export const removeAndroidDevice = endpoint({
  ...android,
  method: 'DELETE',
  summary: 'Unregisters a device with an FCM token.',
  params: { token },
  example: { token: '{android_token}' },
  handle: (call) => unregister(call, { kind: 'fcm', token: call.params.token }),
})

export const testPushNotification = endpoint({
  method: 'POST',
  path: '/mobile_push/test_notification',
  summary: 'Refuses to send a test notification, because this server has no push service.',
  callers: 'human',
  params: { token: str().optional().describe('the token of one device; default: all devices') },
  noExample: 'This server has no push service.',
  response: z.object({}),
  errors: [errors.invalidPushDevice, errors.pushServiceNotConfigured],
  async handle(call) {
    const { token } = call.params
    if (token !== undefined && !(await hasDevice(call.app.store.sql, ownerKey(call), token))) {
      throw errors.invalidPushDevice()
    }
    throw errors.pushServiceNotConfigured()
  },
})

export const registerPushDevice = endpoint({
  method: 'POST',
  path: '/mobile_push/register',
  summary: 'Refuses to register a device for encrypted push notifications, because this server has no push service.',
  level: 406,
  callers: 'human',
  keyScope: 'none',
  params: {},
  noExample: 'This server has no push service.',
  response: z.object({}),
  errors: [errors.pushServiceNotConfigured],
  handle() {
    throw errors.pushServiceNotConfigured()
  },
})

type DeviceCall = Pick<Call, 'app' | 'realm' | 'caller'>

const ownerKey = ({ realm, caller }: DeviceCall) => ({ realm_id: realm.id, user_id: caller.id })

const register = async (call: DeviceCall, device: PushDevice) => {
  await addDevice(call.app.store.sql, ownerKey(call), validateDevice(device))
  return {}
}

const unregister = async (call: DeviceCall, device: PushDevice) => {
  if (!(await removeDevice(call.app.store.sql, ownerKey(call), validateDevice(device))))
    throw errors.badRequest('You have registered no device with this token.')
  return {}
}

/** The device, if its token has a valid form. Throws BAD_REQUEST. */
const validateDevice = (device: PushDevice): PushDevice => {
  const { kind, token } = device
  if (token === '' || token.length > MAX_TOKEN_LENGTH)
    throw errors.badRequest('A token must have 1 to 4096 characters.')
  if (kind === 'apns' && !/^[A-Za-z0-9+/_-]+={0,2}$/.test(token))
    throw errors.badRequest('An APNs token must be hexadecimal or base64.')
  return device
}
