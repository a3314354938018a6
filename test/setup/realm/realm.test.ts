/** Realms of one test file share connections. */
import { expect, test } from 'vitest'
import { newRealm } from './realm.js'

test('Accounts of many realms are created at the same time.', async () => {
  const create = async () => {
    await using realm = await newRealm()
    return (await realm.people({ full_name: 'Ada' })).length
  }
  expect(await Promise.all(Array.from({ length: 20 }, create))).toEqual(Array.from({ length: 20 }, () => 1))
})
