/** Onboarding steps: introductions that a client shows to a user once. */
import { expect, test } from 'vitest'
import { listen } from '../setup/realm/event-listener.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newQuietRealm } from '../setup/realm/realm-with-people.js'
import { badRequest, readRefusal } from '../setup/realm/refusals.js'

const fetchRemainingSteps = async (by: Person) =>
  (
    await ok(by, 'POST', '/register', {
      fetch_event_types: ['onboarding_steps'],
    })
  ).onboarding_steps

test('An onboarding step that a user has seen leaves their list, and one event reports it.', async () => {
  const { realm, people } = await newQuietRealm('Ada', 'Grace')
  await using _ = realm
  const [ada, grace] = people as [Person, Person]
  const all = await fetchRemainingSteps(ada)
  expect(all).toContainEqual({ type: 'one_time_notice', name: 'intro_inbox_view_modal' })
  const [adaListener, graceListener] = [await listen(ada), await listen(grace)]
  await ok(ada, 'POST', '/users/me/onboarding_steps', { onboarding_step: 'intro_inbox_view_modal' })
  await ok(ada, 'POST', '/users/me/onboarding_steps', { onboarding_step: 'intro_inbox_view_modal' })
  const rest = all.filter(({ name }) => name !== 'intro_inbox_view_modal')
  expect(await adaListener.events()).toEqual([
    { id: expect.any(Number), type: 'onboarding_steps', onboarding_steps: rest },
  ])
  expect(await graceListener.eventNames()).toEqual([])
  expect(await fetchRemainingSteps(ada)).toEqual(rest)
  expect(await fetchRemainingSteps(grace)).toEqual(all)
})

test('The server refuses an unknown onboarding step.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const answer = call(ada, 'POST', '/users/me/onboarding_steps', { onboarding_step: 'the_moon' })
  expect(await readRefusal(answer)).toEqual(badRequest('There is no onboarding step the_moon.'))
})

test('The steps of the web client are listed until they are seen.', async () => {
  const { realm, people } = await newQuietRealm('Ada')
  await using _ = realm
  const [ada] = people as [Person]
  const ownSteps = async () =>
    (await fetchRemainingSteps(ada)).map(({ name }) => name).filter((name) => name.startsWith('parley_'))
  expect(await ownSteps()).toEqual(['parley_first_steps', 'parley_phone_apps'])
  await ok(ada, 'POST', '/users/me/onboarding_steps', { onboarding_step: 'parley_first_steps' })
  expect(await ownSteps()).toEqual(['parley_phone_apps'])
})
