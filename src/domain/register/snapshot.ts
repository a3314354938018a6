/**
 * The initial data of a registration: the memory part taken now, the database part put in when it is there.
 *
 * `take` runs in one tick, so that everything in it is of the realm's seq of that tick (DESIGN section 3).
 */
import { z } from 'zod'
import { rawMember } from '../raw-json.js'
import { type Asked, type Content, type ContentName, type Field, Later } from './asked.js'
import { sections } from './sections.js'

export interface Snapshot {
  /** the parts of the content that `finish` waits for */
  readonly needs: readonly ContentName[]
  /** The whole of it, as the members of an object. */
  finish(content: Partial<Content>): string[]
}

/** Which sections are asked for (register.md section 2). */
export const fetchSet = (
  fetch_event_types: readonly string[] | undefined,
  event_types: readonly string[] | undefined,
): Pick<Asked, 'fetches' | 'names'> => {
  const given = fetch_event_types ?? event_types
  const named = new Set(given)
  return {
    fetches: (name) => given === undefined || named.has(name),
    names: (name) => named.has(name),
  }
}

/** Takes the memory part. */
export const take = (asked: Asked): Snapshot => {
  const parts: string[] = []
  const waiting: { key: string; value: Later<unknown> }[] = []
  for (const [name, section] of Object.entries(sections)) {
    if (!asked.fetches(name)) continue
    for (const [key, field] of Object.entries(section) as [string, Field][]) {
      const value = field.value(asked)
      if (value instanceof Later) waiting.push({ key, value })
      else if (value !== undefined) parts.push(rawMember(key, value))
    }
  }
  return {
    needs: [...new Set(waiting.flatMap(({ value }) => value.needs))],
    finish(content) {
      // Complete in what `needs` names, which is all that the values look at.
      const whole = content as Content
      return [...parts, ...waiting.map(({ key, value }) => rawMember(key, value.value(whole)))]
    },
  }
}

const shapeOf = (names: readonly string[]): Record<string, z.ZodType> => {
  const shape: Record<string, z.ZodType> = {}
  for (const name of names) {
    const section: Readonly<Record<string, Field>> | undefined = (sections as Record<string, Record<string, Field>>)[
      name
    ]
    for (const [key, { schema }] of Object.entries(section ?? {})) shape[key] = schema
  }
  return shape
}

/** The keys of these sections, strictly: what an answer to exactly this fetch set holds. */
export const snapshotObject = (names: readonly string[]) => z.object(shapeOf(names))

/** Every key there is, none of them required: an answer holds what was fetched. */
export const anySnapshot = snapshotObject(Object.keys(sections)).partial()
