/** JSON that is composed once for many answers, and what a realm's state owns. */
import { describe, expect, test } from 'vitest'
import { cachedJson } from '../../src/domain/log/cached-json.js'
import { derivedValue } from '../../src/domain/log/derived-values.js'
import { OwnedKey } from '../../src/domain/log/owned-values.js'
import { composeUpdate, type RowChange } from '../../src/domain/log/row-changes.js'
import type { UserRow } from '../../src/domain/log/rows.js'
import type { SharedText } from '../../src/domain/protocol/raw-json.js'
import { StateBuilder } from '../setup/realm/state-builder.js'

const rename = ({ state }: StateBuilder, user: UserRow, full_name: string) =>
  state.apply(composeUpdate('users', user, { full_name }) as RowChange)

describe('JSON that many answers contain', () => {
  let composed = 0
  const findNames = cachedJson<readonly SharedText[], { form: string; version: number }>({
    name: 'names',
    tables: ['users'],
    version: (_, { version }) => version,
    form: ({ form }) => form,
    compose(state, _, reuse) {
      composed += 1
      return [...state.users.values()].map(({ id, full_name }) => reuse.text(id, JSON.stringify(full_name)))
    },
  })
  const countComposed = (work: () => void) => {
    composed = 0
    work()
    return composed
  }

  test('It is composed once for each form, until a row of its tables or its version changes.', () => {
    const build = new StateBuilder()
    const ada = build.user({ full_name: 'Ada' })
    const find = (form: string, version = 1) => findNames(build.state, { form, version }).map(({ text }) => text)
    expect(find('a')).toEqual(['"Ada"'])
    expect(countComposed(() => find('a'))).toBe(0)
    expect(countComposed(() => find('b'))).toBe(1)
    build.channel()
    expect(countComposed(() => find('a'))).toBe(0)
    expect(countComposed(() => find('a', 2))).toBe(1)
    rename(build, ada, 'Grace')
    expect(countComposed(() => expect(find('a', 2)).toEqual(['"Grace"']))).toBe(1)
  })

  test('A text that a change leaves as it is stays the same object.', () => {
    const build = new StateBuilder()
    const ada = build.user({ full_name: 'Ada' })
    build.user({ full_name: 'Grace ☃' })
    const find = () => findNames(build.state, { form: '', version: 1 })
    const before = find()
    rename(build, ada, 'Eve')
    const after = find()
    expect(after.map((text, i) => text === before[i])).toEqual([false, true])
    expect(after.map(({ text }) => text)).toEqual(['"Eve"', '"Grace ☃"'])
  })

  test('A run of a list stays the same object while its items do.', () => {
    const build = new StateBuilder()
    const users = [build.user(), build.user(), build.user(), build.user()]
    const findPairs = cachedJson<readonly { items: readonly UserRow[] }[]>({
      name: 'pairs',
      tables: ['users'],
      compose(state, _, reuse) {
        const rows = [...state.users.values()]
        return [0, 2].map((from) => reuse.run(from, rows.slice(from, from + 2), (items) => ({ items })))
      },
    })
    const before = findPairs(build.state)
    rename(build, users[3] as UserRow, 'Eve')
    expect(findPairs(build.state).map((pair, i) => pair === before[i])).toEqual([true, false])
  })
})

describe('What a state owns', () => {
  test('A key has one value in each state, and a state with changes has values of its own.', () => {
    const { state } = new StateBuilder()
    const key = new OwnedKey<string[]>('lists', ({ length }) => length)
    const list = state.own(key, () => [])
    expect(state.own(key, () => [])).toBe(list)
    expect(state.own(new OwnedKey<string[]>('lists'), () => [])).not.toBe(list)
    expect(state.withChanges([]).own(key, () => [])).not.toBe(list)
  })

  test('The values are counted by name, until they are forgotten.', () => {
    const build = new StateBuilder()
    const findNumber = derivedValue<number, string>({
      name: 'numbers',
      tables: ['users'],
      form: (form) => form,
      compute: () => 1,
    })
    const count = () => {
      const totals = new Map<string, number>()
      build.state.ownedValues.countInto(totals)
      return Object.fromEntries(totals)
    }
    findNumber(build.state, 'a')
    findNumber(build.state, 'b')
    build.state.own(new OwnedKey<number[]>('numbers', ({ length }) => length), () => [1, 2, 3])
    expect(count()).toEqual({ numbers: 5 })
    build.state.ownedValues.clear()
    expect(count()).toEqual({})
  })
})
