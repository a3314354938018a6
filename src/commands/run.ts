/** Runs a command with the arguments of a process, and prints its result or why it failed. */
import { inspect } from 'node:util'
import { type Administration, openAdministration } from '../administration/administration.js'
import { OperatorError } from '../administration/operator-error.js'
import { type Config, ConfigError, findConfigWarnings, parseConfig } from '../config/config.js'
import { explainUnsupportedNode } from '../config/supported-nodes.js'
import { ApiError } from '../domain/protocol/errors.js'
import { readRelease } from '../monitoring/release.js'
import { findConnectionProblem, UnusableDatabaseError } from '../store/connection-check.js'
import { describeConnectionError } from '../store/connection-errors.js'
import { AdoptionError } from '../store/deployment/adopt.js'
import { type CommandContext, UsageError } from './command.js'
import { composeCommandHelp, composeHelp, findCommand } from './index.js'

/** Where a command reads and writes. */
export interface CommandSurroundings {
  env: Readonly<Record<string, string | undefined>>
  /** Prints the result. */
  print(text: string): void
  /** Prints what is not the result: warnings, and why a command failed. */
  tell(text: string): void
}

/** Runs the command line. @returns the exit code */
export const runCommandLine = async (args: readonly string[], surroundings: CommandSurroundings): Promise<number> => {
  try {
    await run(args, surroundings)
    return 0
  } catch (error) {
    surroundings.tell(isAnswer(error) ? error.message : inspect(error))
    return 1
  }
}

const isAnswer = (error: unknown): error is Error =>
  [OperatorError, ApiError, AdoptionError, ConfigError, UnusableDatabaseError].some((kind) => error instanceof kind)

const run = async ([name = '--help', ...args]: readonly string[], surroundings: CommandSurroundings): Promise<void> => {
  if (isHelp(name) && args.length === 0) return surroundings.print(composeHelp())
  if (name === '--version') return surroundings.print(JSON.stringify({ ...readRelease(), node: process.versions.node }))
  const command = findCommand(isHelp(name) ? (args[0] ?? '') : name)
  if (isHelp(name) || args.some((arg) => arg === '--help' || arg === '-h'))
    return surroundings.print(composeCommandHelp(command))
  await using context = new Context(surroundings)
  try {
    const result = await command.run(context, args)
    if (result !== undefined) context.print(JSON.stringify(result))
  } catch (error) {
    if (error instanceof UsageError)
      throw new UsageError(`${error.message}\nSee: node dist/cli.js ${command.name} --help`)
    throw context.explain(error)
  }
}

const isHelp = (name: string): boolean => name === '--help' || name === '-h' || name === 'help'

/** What a command uses, opened when it asks for it. */
class Context implements CommandContext, AsyncDisposable {
  readonly env: CommandSurroundings['env']
  readonly #surroundings: CommandSurroundings
  #config: Config | undefined
  #administration: Administration | undefined

  constructor(surroundings: CommandSurroundings) {
    this.env = surroundings.env
    this.#surroundings = surroundings
  }

  config(): Config {
    if (this.#config !== undefined) return this.#config
    const unsupported = explainUnsupportedNode(process.versions.node)
    if (unsupported !== undefined) throw new OperatorError(unsupported)
    this.#config = parseConfig(this.env)
    for (const warning of findConfigWarnings(this.#config, this.env)) this.tell(warning)
    return this.#config
  }

  async open(isPrepared = true): Promise<Administration> {
    const config = this.config()
    const problem = await findConnectionProblem('DATABASE_URL', config.DATABASE_URL)
    if (problem !== undefined) throw new OperatorError(problem)
    this.#administration = openAdministration(config)
    if (isPrepared) {
      const unprepared = await this.#administration.findUnprepared()
      if (unprepared !== undefined) throw new OperatorError(unprepared)
    }
    return this.#administration
  }

  /** A sentence in the place of an error that means that Postgres cannot be used. */
  explain(error: unknown): unknown {
    if (this.#config === undefined) return error
    const sentence = describeConnectionError('DATABASE_URL', this.#config.DATABASE_URL, error)
    return sentence === undefined ? error : new OperatorError(sentence, { cause: error })
  }

  readonly print = (text: string): void => this.#surroundings.print(text)

  readonly tell = (text: string): void => this.#surroundings.tell(text)

  async [Symbol.asyncDispose]() {
    await this.#administration?.[Symbol.asyncDispose]()
  }
}
