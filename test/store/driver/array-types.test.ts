/** Arrays of Postgres, whose types the server declares itself. */
import { expect, inject, onTestFinished, test } from 'vitest'
import { openSql } from '../../../src/store/sql.js'
import { countingProxy } from '../../setup/proxies/counting-proxy.js'

const openPool = (url = inject('database_url')) => {
  const sql = openSql(url, 1)
  onTestFinished(() => sql.end())
  return sql
}

test('The driver carries out no statement by itself on a new connection.', async () => {
  const proxy = await countingProxy(inject('database_url'))
  onTestFinished(() => proxy[Symbol.asyncDispose]())
  const sql = openPool(proxy.url)
  await sql`select ${[1, 2]}::int[] as ids`
  expect(proxy.statements()).toEqual(['select $1::int[] as ids'])
})

test.each([
  ['int', [1, -2, null, 2_147_483_647]],
  ['smallint', [0, 32_767]],
  ['bigint', [1, 2 ** 53 - 1, null]],
  ['float8', [0.5, -1e300]],
  ['bool', [true, false, null]],
  ['uuid', ['b7c1a1de-0000-4000-8000-00000000000a']],
  ['text', ['', ' ', 'null', 'NULL', null, '{', '},"', "'", '\\', '\\"', 'a,b', 'line\nline', '\u{1F389}', '{1,2}']],
  ['varchar', ['a "b"']],
  ['name', ['public']],
] as const)('An array of %s comes back as it was sent.', async (name, values) => {
  const sql = openPool()
  const given = (value: unknown) => sql.typed(value as never, 0)
  const type = sql.unsafe(`${name}[]`)
  const [row] =
    await sql`select ${given(values)}::text[]::${type} as texts, ${given(values)}::${type} as own, '{}'::${type} as none`
  expect(row).toEqual({ texts: values, own: values, none: [] })
  const [nested] = await sql`select ${given([values, values])}::${type} as pair`
  expect(nested?.pair).toEqual([values, values])
})

test('An array with an undefined element is refused before it is sent.', async () => {
  const sql = openPool()
  await expect(sql`select ${['a', undefined] as never}::text[]`).rejects.toThrow('undefined')
})
