/** An organization with a channel "library": the owner Ada and the member Grace are logged in, each in a browser. */
import type { Page } from 'playwright-core'
import { Role } from '../../../src/domain/log/rows.js'
import { newRealm, ok, type Person, type TestRealm } from '../realm/realm.js'
import { neverFollowing } from '../realm/realm-with-people.js'
import { openWebPages, type WebPages } from './web-pages.js'

export interface WebLibrary extends AsyncDisposable {
  realm: TestRealm
  pages: WebPages
  ada: Person
  grace: Person
  adaPage: Page
  gracePage: Page
  /** of the channel, to which both are subscribed */
  channelId: number
}

/** Opens the organization. Its third account, the member Linus, is logged in nowhere. */
export const openWebLibrary = async (): Promise<WebLibrary> => {
  const realm = await newRealm()
  const [ada, grace] = (await realm.people(
    { full_name: 'Ada', role: Role.owner, settings: neverFollowing },
    { full_name: 'Grace', settings: neverFollowing },
    { full_name: 'Linus', settings: neverFollowing },
  )) as [Person, Person]
  await ok(ada, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'library' }],
    principals: [ada.user_id, grace.user_id],
  })
  const channelId = (await ok(ada, 'GET', '/get_stream_id', { stream: 'library' })).stream_id
  const pages = await openWebPages(realm)
  return {
    realm,
    pages,
    ada,
    grace,
    adaPage: await pages.logIn('Ada'),
    gracePage: await pages.logIn('Grace'),
    channelId,
    async [Symbol.asyncDispose]() {
      await pages[Symbol.asyncDispose]()
      await realm[Symbol.asyncDispose]()
    },
  }
}
