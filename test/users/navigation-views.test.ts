/** Navigation views: the personal entries of a user's sidebar. */
import { describe, expect, test } from 'vitest'
import { listen } from '../setup/realm/event-listener.js'
import { call, ok, type Person } from '../setup/realm/realm.js'
import { newRealmWith } from '../setup/realm/realm-with-people.js'

const setUp = () => newRealmWith('Ada', 'Grace')

const viewsOf = async (person: Person) => (await ok(person, 'GET', '/navigation_views')).navigation_views

const refusal = async (...given: Parameters<typeof call>) => {
  const { status, body } = await call(...given)
  return `${status} ${body.code}: ${body.msg}`
}

const mine = { fragment: 'narrow/channel/3-design', is_pinned: true, name: 'Design' }
const inbox = { fragment: 'inbox', is_pinned: false }
const place = (fragment: string) => `/navigation_views/${encodeURIComponent(fragment)}`

test('A user can add, change and remove navigation views, and only this user receives the events.', async () => {
  await using s = await setUp()
  const [adaListener, graceListener] = [await listen(s.ada), await listen(s.grace)]
  await ok(s.ada, 'POST', '/navigation_views', mine)
  await ok(s.ada, 'POST', '/navigation_views', inbox)
  expect(await viewsOf(s.ada)).toEqual([{ ...inbox, name: null }, mine])
  const fetched = await ok(s.ada, 'POST', '/register', { fetch_event_types: ['navigation_views'] })
  expect(fetched.navigation_views).toEqual([{ ...inbox, name: null }, mine])
  await ok(s.ada, 'PATCH', place(mine.fragment), { name: 'Drawing' })
  await ok(s.ada, 'PATCH', `/navigation_views/${mine.fragment}`, { is_pinned: false, name: 'Drawing' })
  await ok(s.ada, 'PATCH', place('inbox'), {})
  await ok(s.ada, 'DELETE', place('inbox'))
  expect(await viewsOf(s.ada)).toEqual([{ ...mine, name: 'Drawing', is_pinned: false }])
  expect((await adaListener.events()).map(({ id: _, ...event }) => event)).toEqual([
    { type: 'navigation_view', op: 'add', navigation_view: mine },
    { type: 'navigation_view', op: 'add', navigation_view: { ...inbox, name: null } },
    { type: 'navigation_view', op: 'update', fragment: mine.fragment, data: { name: 'Drawing' } },
    { type: 'navigation_view', op: 'update', fragment: mine.fragment, data: { is_pinned: false } },
    { type: 'navigation_view', op: 'remove', fragment: 'inbox' },
  ])
  expect(await graceListener.events()).toEqual([])
  expect(await viewsOf(s.grace)).toEqual([])
})

describe('Refused navigation views', () => {
  test.each([
    [{ ...mine, fragment: '' }, 'fragment must not be blank.'],
    [{ ...mine, fragment: ' \t' }, 'fragment must not be blank.'],
    [{ ...mine, name: undefined }, 'A custom view needs a name.'],
    [{ ...mine, name: ' ' }, 'A custom view needs a name.'],
    [{ ...inbox, name: 'My inbox' }, 'A built-in view cannot be given another name.'],
    [
      { ...mine, name: 'Other' },
      'You have a navigation view with this fragment or this name already: choose another one.',
    ],
    [
      { ...mine, fragment: 'elsewhere' },
      'You have a navigation view with this fragment or this name already: choose another one.',
    ],
  ])('The server refuses the navigation view %j: %s', async (view, msg) => {
    await using s = await setUp()
    await ok(s.ada, 'POST', '/navigation_views', mine)
    expect(await refusal(s.ada, 'POST', '/navigation_views', view)).toBe(`400 BAD_REQUEST: ${msg}`)
    await ok(s.grace, 'POST', '/navigation_views', mine)
  })

  test('A user cannot give a navigation view the name of another of their views.', async () => {
    await using s = await setUp()
    await ok(s.ada, 'POST', '/navigation_views', mine)
    await ok(s.ada, 'POST', '/navigation_views', { ...mine, fragment: 'other', name: 'Other' })
    expect(await refusal(s.ada, 'PATCH', place('other'), { name: mine.name })).toBe(
      '400 BAD_REQUEST: You have a navigation view with this fragment or this name already: choose another one.',
    )
  })

  test('A user cannot change or delete a navigation view that they do not have.', async () => {
    await using s = await setUp()
    await ok(s.ada, 'POST', '/navigation_views', mine)
    const refused = '400 BAD_REQUEST: You have no navigation view with this fragment.'
    expect(await refusal(s.grace, 'PATCH', place(mine.fragment), { is_pinned: false })).toBe(refused)
    expect(await refusal(s.grace, 'DELETE', place(mine.fragment))).toBe(refused)
  })

  test('Only one of several simultaneous requests adds a navigation view.', async () => {
    await using s = await setUp()
    const answers = await Promise.all(Array.from({ length: 5 }, () => call(s.ada, 'POST', '/navigation_views', mine)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400])
  })
})
