/** Runs the steps of a call, one after the other. */
import type { Next, Step } from './running-call.js'

/**
 * Joins steps to one function, which runs them in this order. Each step gets the rest of the list as its `next`. The
 * list is joined once, so a call makes no functions of it.
 */
export const joinSteps = (steps: readonly Step[]): Next =>
  steps.reduceRight<Next>(
    (next, step) => (call) => step(call, next),
    () => undefined,
  )
