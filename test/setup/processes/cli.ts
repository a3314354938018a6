/** The command line in the process of the test: a process of its own would take a second. */
import { inject } from 'vitest'
import { runCommandLine } from '../../../src/commands/run.js'

/** What a command has printed, and its exit code. */
export interface CommandResult {
  code: number
  stdout: string
  stderr: string
}

/** Runs a command. @param env that of the fleet, if it is not given */
export const runCli = async (
  args: readonly string[],
  env: Record<string, string> = inject('process_env'),
): Promise<CommandResult> => {
  const printed: string[] = []
  const told: string[] = []
  const code = await runCommandLine(args, {
    env,
    print: (text) => void printed.push(text),
    tell: (text) => void told.push(text),
  })
  return { code, stdout: printed.join('\n'), stderr: told.join('\n') }
}

/** Runs a command in the environment of the fleet. @returns what it printed. Rejects with its standard error */
export const cli = async (...args: string[]): Promise<unknown> => {
  const { code, stdout, stderr } = await runCli(args)
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}
