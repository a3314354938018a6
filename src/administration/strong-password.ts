import { errors } from '../domain/protocol/errors.js'
import { isWeakPassword } from '../store/users/passwords.js'

/** Refuses a password by the rules of the API. @param words what an attacker would try first. Throws BAD_REQUEST. */
export const requireStrongPassword = async (password: string, words: readonly string[]): Promise<void> => {
  if (!(await isWeakPassword(password, words))) return
  throw errors.badRequest('The password is too easy to guess: choose a longer one.')
}
