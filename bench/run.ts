/**
 * `npm run bench`: runs the benches one after the other, and prints what they found as one table.
 *
 *   npm run bench
 *   npm run bench -- fanout send
 *   npm run bench -- --short
 *
 * The exit code is 0 when every required bound is met, whatever became of mere goals.
 */
import { Failure } from '../src/dev/failure.js'
import { openProcessGroup } from '../src/dev/process-group.js'
import { audience } from './audience.bench.js'
import { type Answer, type Bench, figure, table } from './bench.js'
import { calls } from './calls.bench.js'
import { deletion } from './deletion.bench.js'
import { fanout } from './fanout.bench.js'
import { joining } from './joining.bench.js'
import { latency } from './latency.bench.js'
import { markdown } from './markdown.bench.js'
import { memory } from './memory.bench.js'
import { micro } from './micro.bench.js'
import { narrowed } from './narrows.bench.js'
import { peer } from './peer.bench.js'
import { polls } from './polls.bench.js'
import { registering } from './register.bench.js'
import { send } from './send.bench.js'
import { openSetting } from './setting.js'
import { unread } from './unread.bench.js'

const benches: Readonly<Record<string, Bench>> = {
  fanout,
  polls,
  send,
  peer,
  latency,
  memory,
  calls,
  micro,
  markdown,
  audience,
  deletion,
  register: registering,
  joining,
  narrows: narrowed,
  unread,
}

/** Runs the named benches, or all, and ends the process. */
export const main = async (args: readonly string[], env: Record<string, string | undefined>): Promise<void> => {
  const tell = (line: string) => console.log(`${`[${(performance.now() / 1000).toFixed(1)}s]`.padStart(8)} ${line}`)
  const hold = openProcessGroup(tell)
  const end = async (code: number) => {
    await hold.stop()
    process.exit(code)
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => void end(1))
  try {
    if (process.platform !== 'linux') throw new Failure('The benches read CPU time and memory from /proc: Linux only.')
    const isShort = args.includes('--short')
    const wanted = chosen(args.filter((arg) => arg !== '--short'))
    const setting = await openSetting(hold, env, { isShort, tell })
    const answers: Answer[] = []
    for (const { question, run } of wanted) {
      tell(question)
      const found = await run(setting)
      for (const { what, ours, baseline, ratios } of found) {
        tell(`  ${what}: ${ours}, against ${baseline}; ratios ${ratios.map(figure).join(', ')}`)
      }
      answers.push(...found)
    }
    await setting.sql.end()
    console.log(`\n${table(answers).join('\n')}\n`)
    await end(answers.some(({ expected }) => expected?.required === true && !expected.met) ? 1 : 0)
  } catch (error) {
    console.error(error instanceof Failure ? `\n${error.message}` : error)
    await end(1)
  }
}

const chosen = (names: readonly string[]): Bench[] => {
  if (names.length === 0) return Object.values(benches)
  return names.map((name) => {
    const bench = benches[name]
    if (bench === undefined)
      throw new Failure(`There is no bench ${name}. There are: ${Object.keys(benches).join(', ')}`)
    return bench
  })
}
