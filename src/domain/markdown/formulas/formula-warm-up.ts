/**
 * Draws formulas at the start of a process, so that the JIT compiler optimizes KaTeX. Without it, the first message
 * full of formulas takes several times as long as a later one. A gateway calls this after it began to serve, so that no
 * send waits for it.
 */

import { createRenderState } from '../context/render-state.js'
import { writeFormulaBlock } from './formulas.js'

/** Small formulas: each takes a few tens of milliseconds at most. */
const formulas = [
  'x',
  'x^2 + y_1',
  '\\frac{a}{b} \\sqrt{x}',
  '\\sum_{i=1}^n \\left(i\\right)',
  '\\begin{matrix} a & b \\\\ c & d \\end{matrix}',
  '\\begin{aligned} \\hat x &= \\mathbb{R} \\\\ \\text{if } & \\alpha \\to \\infty \\end{aligned}',
  '\\unknown',
]

/** After this number of rounds, more rounds do not make a message full of formulas faster. */
const ROUNDS = 20

/** Draws all formulas, and yields to the event loop before each one. */
export const warmUpFormulas = async (): Promise<void> => {
  for (const formula of new Array(ROUNDS).fill(formulas).flat()) {
    await new Promise((resolve) => setImmediate(resolve))
    writeFormulaBlock(formula, createRenderState({ formula_budget: 1_000, linkifier_budget: 0 }))
  }
}
