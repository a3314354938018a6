/**
 * The steps of a migration. A line `-- step: …` begins one; a file without such a line is one transaction.
 *
 *   -- step: transaction
 *   alter table messages add column language text;
 *   -- step: backfill messages
 *   update messages set language = 'en' where language is null and :batch;
 *   -- step: concurrently
 *   create index concurrently if not exists messages_language on messages (realm_id, language, id);
 *
 * `transaction`: all its statements are one transaction. `concurrently`: one statement outside of a transaction, which
 * may run again after a crash. `backfill TABLE`: one statement, which runs once for each part of the table;
 * `:batch` stands for the condition on the primary key of the table, which the statement names without an alias.
 */

/** A statement that runs once for each part of a table. */
export interface Backfill {
  table: string
  text: string
}

export type MigrationStep =
  | { kind: 'transaction'; text: string }
  /** `index`: the name of the index that it creates */
  | { kind: 'concurrently'; text: string; index: string | undefined }
  | ({ kind: 'backfill' } & Backfill)

/** Parses the text of a migration. Throws an Error for a step that cannot run. */
export const parseSteps = (name: string, text: string): MigrationStep[] => {
  const [head = '', ...parts] = text.split(/^-- step: *(.*)$/m)
  if (parts.length === 0) return [{ kind: 'transaction', text }]
  if (hasStatement(head)) throw new Error(`${name}: a statement stands before the first step.`)
  const steps: MigrationStep[] = []
  for (let i = 0; i < parts.length; i += 2) steps.push(parseStep(name, (parts[i] ?? '').trim(), parts[i + 1] ?? ''))
  return steps
}

const parseStep = (name: string, heading: string, text: string): MigrationStep => {
  const table = /^backfill ([a-z_]+)$/.exec(heading)?.[1]
  if (table !== undefined) {
    if (!text.includes(':batch')) throw new Error(`${name}: the statement of the backfill of ${table} lacks :batch.`)
    return { kind: 'backfill', table, text }
  }
  if (heading === 'transaction') return { kind: 'transaction', text }
  if (heading !== 'concurrently') {
    throw new Error(`${name}: a step is "transaction", "concurrently" or "backfill TABLE", and not "${heading}".`)
  }
  const index = /create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(\w+)/i.exec(text)?.[1]
  return { kind: 'concurrently', text, index }
}

/** Whether a text has more than comments and white space. */
const hasStatement = (text: string): boolean => text.replace(/^\s*--.*$/gm, '').trim() !== ''

/** A column of a primary key. */
export interface KeyColumn {
  name: string
  type: string
}

/**
 * The condition of a part of a table: rows after `after`, up to `upTo`. Of a key with several columns, the rows have
 * one value of the first column, so that Postgres finds them by the index of the primary key: it estimates a range of
 * several columns by the first one alone, and may choose any index that has these columns and read it as a whole.
 * Throws an Error for a table without a primary key.
 * @param after the key of the last row before the part, or only its first column: from the first row with it on;
 * undefined: from the first row on
 * @param upTo the key of the last row; undefined: all rows with this value of the first column
 */
export const composeBatch = (
  table: string,
  key: readonly KeyColumn[],
  after: readonly string[] | undefined,
  upTo?: readonly string[],
): string => {
  const [first, ...rest] = key.map((column) => ({ ...column, name: `"${table}"."${column.name}"` }))
  const quote = (text: string, type: string) => `'${text.replaceAll("'", "''")}'::${type}`
  const compare = (columns: readonly KeyColumn[], operator: '>' | '<=', texts: readonly string[]): string[] =>
    columns.length === 0 || texts.length === 0
      ? []
      : [
          `(${columns.map(({ name }) => name).join()}) ${operator} (${columns.map(({ type }, i) => quote(texts[i] ?? '', type)).join()})`,
        ]
  if (first === undefined) throw new Error(`${table} has no primary key`)
  const isSingle = rest.length === 0
  const conditions =
    isSingle || after === undefined
      ? [...compare([first], '>', after ?? []), ...compare([first], '<=', upTo ?? [])]
      : [
          `${first.name} = ${quote(after[0] ?? '', first.type)}`,
          ...compare(rest, '>', after.slice(1)),
          ...compare(rest, '<=', upTo?.slice(1) ?? []),
        ]
  return conditions.length === 0 ? 'true' : `(${conditions.join(' and ')})`
}
