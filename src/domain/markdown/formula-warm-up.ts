/**
 * Draws formulas that nobody asked for: the first message full of them takes several times what a later one does,
 * because nothing of KaTeX is compiled yet. Whoever starts up calls this once it serves, so that no send waits for it.
 */

import { writeFormulaBlock } from './formulas.js'
import { newRenderState } from './render-state.js'

/** Small ones, so that none of them takes more than some tens of milliseconds. */
const formulas = [
  'x',
  'x^2 + y_1',
  '\\frac{a}{b} \\sqrt{x}',
  '\\sum_{i=1}^n \\left(i\\right)',
  '\\begin{matrix} a & b \\\\ c & d \\end{matrix}',
  '\\begin{aligned} \\hat x &= \\mathbb{R} \\\\ \\text{if } & \\alpha \\to \\infty \\end{aligned}',
  '\\unknown',
]

/** After so many rounds a message full of formulas is drawn as fast as it ever will be. */
const ROUNDS = 20

/** One formula after another, with everything else that waits in between. Resolves when all are drawn. */
export const warmUpFormulas = async (): Promise<void> => {
  for (const formula of new Array(ROUNDS).fill(formulas).flat()) {
    await new Promise((resolve) => setImmediate(resolve))
    writeFormulaBlock(formula, newRenderState({ formula_budget: 1_000, linkifier_budget: 0 }))
  }
}
