/** Refusals, in a form that tests compare. */
import type { Answer } from './realm.js'

/** The status, code and text of an answer. */
export const readRefusal = async (answer: Promise<Answer>) => {
  const { status, body } = await answer
  return { status, code: body.code, msg: body.msg }
}

/** The refusal with status 400 that a test expects, to compare with `readRefusal`. */
export const badRequest = (msg: string, code = 'BAD_REQUEST') => ({ status: 400, code, msg })
