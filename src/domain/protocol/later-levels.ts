/**
 * Parameters and fields of feature levels that are later than the announced one.
 *
 * They change nothing for a client that expects the announced level: a parameter is optional, and clients ignore a
 * field that they do not know. The OpenAPI document states the level of each.
 */
import type { z } from 'zod'

/** The key of the OpenAPI document that states a level. The level is that of an endpoint, a parameter or a field. */
export const levelKey = 'x-feature-level'

/** The sentence of a level for readers of the OpenAPI document. */
export const describeLevel = (level: number): string =>
  `Of feature level ${level}: later than the level that the server announces.`

/** Marks a parameter, a field or a value as one of this level. Wrappers such as `optional()` belong inside. */
export const since = <S extends z.ZodType>(level: number, schema: S): S => {
  const description = [schema.meta()?.description, describeLevel(level)].filter((text) => text !== undefined).join(' ')
  return schema.meta({ [levelKey]: level, description })
}
