import { z } from 'zod'
import { Config } from '../config/config.js'

const BEGIN = '<!-- variables: written by `npm run docs` from src/config/config.ts -->'
const END = '<!-- end of variables -->'

interface Variable {
  description?: string
  default?: unknown
  unset?: string
}

/**
 * Replaces the table of variables in the text of docs/configuration.md. The new table is made from the configuration's
 * schema. Throws an Error when the page has no place for it.
 */
export function writeConfigurationTable(page: string): string {
  const [before, rest = ''] = page.split(BEGIN)
  const [, after] = rest.split(END)
  if (after === undefined) throw new Error(`docs/configuration.md must have the lines ${BEGIN} and ${END}`)
  return `${before}${BEGIN}\n${configurationTable()}\n${END}${after}`
}

function configurationTable(): string {
  const { properties = {}, required = [] } = z.toJSONSchema(Config, { io: 'input' })
  const rows = Object.entries(properties as Record<string, Variable>).map(
    ([name, variable]) =>
      `| \`${name}\` | ${variable.description} | ${required.includes(name) ? 'required' : unsetValue(variable)} |`,
  )
  return ['| variable | meaning | when unset |', '| --- | --- | --- |', ...rows].join('\n')
}

const unsetValue = ({ default: value = '', unset }: Variable): string =>
  unset ?? (value === '' ? 'none' : `\`${value}\``)
