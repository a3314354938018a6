/**
 * A command of the command line: one value from which its help, and the check of its arguments, follow.
 *
 * 1. Every argument is used: one that the command does not know, that is given twice or that is empty is refused.
 * 2. Nothing is connected before the arguments were checked.
 */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Administration } from '../administration/administration.js'
import { OperatorError } from '../administration/operator-error.js'
import type { Config } from '../config/config.js'

/** An option: with a value if `value` names one, else a switch. */
export interface Option {
  /** what help calls the value */
  readonly value?: string
  readonly required?: true
  /** what help says of it; missing: the text of the command does */
  readonly about?: string
}

type Options = Readonly<Record<string, Option>>

type OptionValue<O extends Option> = O extends { value: string }
  ? O extends { required: true }
    ? string
    : string | undefined
  : boolean

/** The name of an argument, without the mark of one that may be left out. */
type Named<N extends string> = N extends `${infer Name}?` ? Name : N

/** The arguments of a call, by their names. */
export type Given<P extends readonly string[], O extends Options> = Readonly<Record<Named<P[number]>, string>> & {
  readonly options: { readonly [N in keyof O]: OptionValue<O[N]> }
  /** the arguments after the named ones, if the command takes any number of them */
  readonly rest: readonly string[]
}

/** What a command can use. Nothing is read or connected before it asks. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The configuration. Throws ConfigError. */
  config(): Config
  /**
   * Connects to the deployment. Throws OperatorError when its database cannot be used, or Redis
   * belongs to another deployment.
   * @param isPrepared false: the database may lack migrations, and Redis may be foreign
   */
  open(isPrepared?: boolean): Promise<Administration>
  /** Prints a text as the result of the command. */
  print(text: string): void
  /** Says something beside the result. */
  tell(text: string): void
}

interface Declaration<P extends readonly string[], O extends Options> {
  readonly name: string
  /** the names of the arguments, in their order; one that ends in `?` may be left out, and is then empty */
  readonly takes?: P
  /** what help calls the arguments of which there can be any number, at least one */
  readonly rest?: string
  readonly options?: O
  /** what it does, for help: lines of up to 110 characters */
  readonly about: string
  /**
   * Throws UsageError for wrong arguments, and OperatorError when it cannot be done.
   * @returns what is printed as a line of JSON; undefined: it has printed its result
   */
  run(context: CommandContext, input: Given<P, O>): Promise<object | undefined>
}

/** A command. */
export interface Command {
  readonly name: string
  /** its arguments in one line */
  readonly usage: string
  /** what it does and what its options mean */
  readonly about: string
  /** Parses the arguments, and does it. Throws UsageError for wrong ones, and OperatorError if it cannot be done. */
  run(context: CommandContext, args: readonly string[]): Promise<object | undefined>
}

/** A command with wrong arguments: the operator is shown where its help is. */
export class UsageError extends OperatorError {}

/** Declares a command. */
export const command = <const P extends readonly string[], const O extends Options>(
  declared: Declaration<P, O>,
): Command => {
  const { name, takes = [] as unknown as P, rest, options = {} as O } = declared
  return {
    name,
    usage: composeUsage(name, takes, rest, options),
    about: [declared.about, ...describeOptions(options)].join('\n'),
    run: (context, args) => declared.run(context, parse(takes, rest, options, args) as Given<P, O>),
  }
}

const composeUsage = (name: string, takes: readonly string[], rest: string | undefined, options: Options): string => {
  const positional = takes.map((one) => (one.endsWith('?') ? `[<${one.slice(0, -1)}>]` : `<${one}>`))
  const named = Object.entries(options).map(([option, { value, required }]) => {
    const text = value === undefined ? `--${option}` : `--${option} ${value}`
    return required === true ? text : `[${text}]`
  })
  return [name, ...positional, ...(rest === undefined ? [] : [`<${rest}>...`]), ...named].join(' ')
}

const describeOptions = (options: Options): string[] =>
  Object.entries(options).flatMap(([name, { about }]) => (about === undefined ? [] : [`  --${name}: ${about}`]))

/** Parses the arguments after the name of a command. Throws UsageError. */
const parse = (takes: readonly string[], rest: string | undefined, options: Options, args: readonly string[]) => {
  const known: ParseArgsOptionsConfig = Object.fromEntries(
    Object.entries(options).map(([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }]),
  )
  const { values, positionals, tokens } = readArgs(args, known)
  const named = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
  const twice = named.find((name, i) => named.indexOf(name) !== i)
  if (twice !== undefined) throw new UsageError(`--${twice} is given twice.`)
  for (const name of named) if (values[name] === '') throw new UsageError(`--${name} is empty.`)
  if (positionals.includes('')) throw new UsageError('An argument is empty: is a variable of the shell unset?')
  const given: Record<string, unknown> = { options: values, rest: positionals.slice(takes.length) }
  for (const [i, name] of takes.entries()) {
    const value = positionals[i]
    if (value === undefined && !name.endsWith('?')) throw new UsageError(`<${name}> is missing.`)
    given[name.replace(/\?$/, '')] = value ?? ''
  }
  const further = positionals[takes.length]
  if (rest === undefined && further !== undefined) throw new UsageError(`The argument ${further} is one too many.`)
  if (rest !== undefined && further === undefined) throw new UsageError(`<${rest}> is missing.`)
  for (const [name, { value, required }] of Object.entries(options)) {
    if (value === undefined) values[name] ??= false
    else if (required === true && values[name] === undefined) throw new UsageError(`--${name} is missing.`)
  }
  return given
}

const readArgs = (args: readonly string[], options: ParseArgsOptionsConfig) => {
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      tokens: true,
    })
    return { values: values as Record<string, string | boolean>, positionals, tokens }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')) {
      throw new UsageError(`${(error as Error).message.split('. To specify')[0]}.`.replace(/\.\.$/, '.'))
    }
    throw error
  }
}
