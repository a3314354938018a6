/** The accounts of the Python tests: an owner, a member and a bot in one channel, each with a zuliprc. */

import { ok, type Person, type TestRealm } from '../setup/realm/realm.js'
import { updateRealmSettings } from '../setup/realm/row-changes.js'
import { writeZuliprc } from './zuliprc.js'

export interface PythonAccounts {
  ada: Person
  bob: Person
  robot: { user_id: number; full_name: string; email: string; api_key: string }
  /** environment variables of the Python programs: paths of the zuliprc files */
  env: Record<'OWNER_RC' | 'MEMBER_RC' | 'BOT_RC', string>
}

/**
 * Creates the accounts and the channel of the tests. They are Ada, an owner, Bob, a member, Ada's bot, and the channel
 * Denmark with all three and no notices.
 */
export const createPythonAccounts = async (realm: TestRealm, site: string): Promise<PythonAccounts> => {
  const [ada, bob] = (await realm.people({ full_name: 'Ada', role: 100 }, { full_name: 'Bob' })) as [Person, Person]
  await updateRealmSettings(realm, { send_channel_events_messages: false })
  const names = { full_name: 'Robot', short_name: 'robot' }
  const { user_id, api_key } = await ok(ada, 'POST', '/bots', names)
  const { user } = await ok(ada, 'GET', `/users/${user_id}`)
  const robot = { user_id, full_name: names.full_name, email: user.email, api_key }
  await ok(ada, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'Denmark', description: 'A country' }],
    principals: [ada, bob, robot].map((each) => each.user_id),
    send_new_subscription_messages: false,
  })
  return {
    ada,
    bob,
    robot,
    env: { OWNER_RC: writeZuliprc(ada, site), MEMBER_RC: writeZuliprc(bob, site), BOT_RC: writeZuliprc(robot, site) },
  }
}
