/** The command that restarts processes one after the other. */
import { type RestartedProcess, restartAll } from '../administration/rolling-restart.js'
import { command, UsageError } from './command.js'

/** The processes of deploy/systemd: a gateway is named by its port, and its operators' port has a 1 before it. */
const findUrl = (name: string): string | undefined => {
  const [, port] = /^parley-gateway@(\d{4})(?:\.service)?$/.exec(name) ?? []
  if (port !== undefined) return `http://127.0.0.1:1${port}`
  return /^parley-worker(?:\.service)?$/.test(name) ? 'http://127.0.0.1:19990' : undefined
}

/** Parses `NAME` or `NAME=URL`. Throws UsageError. */
const parseProcess = (text: string): RestartedProcess => {
  const [name = '', url = findUrl(name)] = text.split(/=(.*)/s)
  if (url === undefined || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError(`${name} needs the address of its operators' port: ${name}=http://127.0.0.1:9990`)
  }
  return { name, url }
}

const parseSeconds = (text: string, option: string): number => {
  if (!/^\d{1,4}$/.test(text)) throw new UsageError(`--${option} must be a number of seconds.`)
  return Number(text) * 1_000
}

/** The commands that restart, in the order of the help. */
export const restartCommands = [
  command({
    name: 'rolling-restart',
    rest: 'process',
    options: {
      with: { value: 'COMMAND', about: 'restarts a process whose name follows; systemctl restart without it' },
      timeout: { value: 'SECONDS', about: 'in which a process has to become ready; 120 without it' },
      pause: { value: 'SECONDS', about: 'between two processes, for the load balancer; 5 without it' },
    },
    about:
      'Restarts processes in the given order, each after the former one is ready: workers first, then gateways. If one is not\n' +
      "ready, the others stay as they are. A process is NAME=URL, with the address of its operators' port; of the units of\n" +
      'deploy/systemd the name is enough: parley-worker parley-gateway@9991 parley-gateway@9992. It needs no variables.',
    async run(context, { rest, options }) {
      const processes = rest.map(parseProcess)
      const restartOptions = {
        command: options.with ?? 'systemctl restart',
        patience_ms: parseSeconds(options.timeout ?? '120', 'timeout'),
        pause_ms: parseSeconds(options.pause ?? '5', 'pause'),
        env: context.env,
        tell: context.tell,
      }
      await restartAll(processes, restartOptions)
      return { restarted: processes.map(({ name }) => name) }
    },
  }),
]
