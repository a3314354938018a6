/** What a check of a deployment has found. */
import { withTimeout } from '../../store/timeout.js'

export interface Finding {
  state: 'ok' | 'warning' | 'failed'
  /** the variable or the service */
  subject: string
  /** what was found and, if it is not ok, what to do */
  text: string
}

/** Milliseconds after which what does not answer counts as failed. */
const PATIENCE_MS = 15_000

/** Something is as it should be. */
export const ok = (subject: string, text: string): Finding => ({ state: 'ok', subject, text })

/** The deployment works, and an operator should look at something. */
export const warning = (subject: string, text: string): Finding => ({ state: 'warning', subject, text })

/** Something does not work. */
export const failed = (subject: string, text: string): Finding => ({ state: 'failed', subject, text })

/** Makes a finding of a sentence that begins with its variable. Such a sentence is `S3_BUCKET (files): …`. */
export const splitSentence = (state: Finding['state'], sentence: string): Finding => {
  const [, subject = 'the deployment', text = sentence] = /^([A-Z][A-Z_\d]+)(?::| )\s*(.*)$/s.exec(sentence) ?? []
  return { state, subject, text }
}

/** Runs a check. What it throws, or no answer, is a failure of its subject. */
export const runCheck = async (subject: string, check: () => Promise<Finding[]>): Promise<Finding[]> => {
  try {
    return await withTimeout(check(), PATIENCE_MS, `there is no answer within ${PATIENCE_MS / 1000} seconds.`)
  } catch (error) {
    const { message, code, name } = error as NodeJS.ErrnoException
    return [failed(subject, message === '' ? (code ?? name) : message)]
  }
}

/**
 * Compares a clock with that of this machine.
 * @param owner whose clock it is
 * @param there what it said, and `began` when it was asked, by `Date.now()`
 */
export const checkClock = (owner: string, there: number, began: number): Finding => {
  const seconds = (there - (began + Date.now()) / 2) / 1000
  const told = `the clock of ${owner} differs by ${Math.abs(seconds).toFixed(1)} s`
  return Math.abs(seconds) < MOST_SECONDS
    ? ok('clock', told)
    : warning(
        'clock',
        `${told} from that of this machine: keep the clocks of all machines right, with chrony` +
          ' or systemd-timesyncd. Links, sessions and scheduled messages depend on them.',
      )
}

const MOST_SECONDS = 2
