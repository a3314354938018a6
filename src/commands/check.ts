/** The command that checks a deployment, and prints what it found as a table. */
import { type Finding, failed, ok, runCheck, splitSentence } from '../administration/checks/finding.js'
import { checkPublicAddress } from '../administration/checks/public-address.js'
import { checkDatabase, checkFiles, checkMail, checkRedis, checkStandbys } from '../administration/checks/services.js'
import { OperatorError } from '../administration/operator-error.js'
import { type Config, ConfigError, findConfigWarnings, parseConfig } from '../config/config.js'
import { explainUnsupportedNode } from '../config/supported-nodes.js'
import { isEmailAddress } from '../domain/users/name-and-email-rules.js'
import { type CommandContext, command, UsageError } from './command.js'

/** The commands that check, in the order of the help. */
export const checkCommands = [
  command({
    name: 'check',
    options: {
      'mail-to': { value: 'EMAIL', about: 'sends a mail to this address; without it, only the login is tried' },
      json: { about: 'prints the findings as JSON' },
    },
    about:
      'Checks the configuration, Postgres, Redis, the processes that run, files, mail, the way of clients through the load\n' +
      'balancer, clocks and disks, and prints a table with what to do. It changes nothing. Run it with the environment of\n' +
      'the gateways. The exit code is 1 if anything failed.',
    async run(context, { options }) {
      const recipient = options['mail-to']
      if (recipient !== undefined && !isEmailAddress(recipient))
        throw new UsageError(`${recipient} is not an email address.`)
      const findings = await findAll(context, recipient)
      context.print(options.json ? JSON.stringify({ findings }) : composeTable(findings))
      const count = (wanted: Finding['state']) => findings.filter(({ state }) => state === wanted).length
      if (count('failed') > 0) throw new OperatorError(`${count('failed')} of ${findings.length} checks failed.`)
      return undefined
    },
  }),
]

const findAll = async ({ env }: CommandContext, recipient: string | undefined): Promise<Finding[]> => {
  const unsupported = explainUnsupportedNode(process.versions.node)
  const node = unsupported === undefined ? ok('Node', process.versions.node) : failed('Node', unsupported)
  let config: Config
  try {
    config = parseConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // Each wrong variable is two lines: what is wrong, and its name after an arrow.
    const wrong = [...error.message.matchAll(/✖ (.*)\n\s*→ at (\S+)/g)]
    return [node, ...wrong.map(([, text = '', name = '']) => failed(name, text))]
  }
  const warnings = findConfigWarnings(config, env).map((sentence) => splitSentence('warning', sentence))
  const checked = await Promise.all([
    runCheck('DATABASE_URL', () => checkDatabase(config)),
    runCheck('DATABASE_READ_URL', () => checkStandbys(config)),
    runCheck('REDIS_URL', () => checkRedis(config)),
    runCheck(config.S3_BUCKET === undefined ? 'UPLOADS_DIR' : 'S3_BUCKET', () => checkFiles(config)),
    runCheck('SMTP_URL', () => checkMail(config, recipient)),
    runCheck('PUBLIC_URL', () => checkPublicAddress(config)),
  ])
  return [node, ok('configuration', 'every variable has a valid value'), ...warnings, ...checked.flat()]
}

const composeTable = (findings: readonly Finding[]): string => {
  const width = Math.max(...findings.map(({ subject }) => subject.length))
  return findings.map(({ state, subject, text }) => `${state.padEnd(7)}  ${subject.padEnd(width)}  ${text}`).join('\n')
}
