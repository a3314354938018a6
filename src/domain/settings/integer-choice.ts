import { z } from 'zod'

/** The schema of a setting or parameter whose value is one of these integers. */
export const integerChoice = (...values: number[]) =>
  z
    .int()
    .refine((value) => values.includes(value))
    .meta({ enum: values })
