import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { openProcessGroup } from '../../src/dev/process-group.js'
import { isRunning, readBirth, stages, stopInOrder } from '../../src/dev/processes.js'
import { root } from '../../src/dev/root.js'

const application = { name: 'application', signal: 'SIGTERM', stage: stages.application } as const
const store = { name: 'store', signal: 'SIGINT', stage: stages.store } as const
/** A script that prints "up" when its signal handlers are ready, and then the name of the signal it receives. */
const listener = `for (const s of ['SIGTERM', 'SIGINT']) process.on(s, () => { console.log(s); process.exit(0) })
  setInterval(() => {}, 1000); console.log('up')`

describe('A process group', () => {
  test('The group stops applications before stores, each with its own signal.', async () => {
    const said: string[] = []
    const group = openProcessGroup(() => {})
    for (const how of [store, application]) {
      const child = group.start(how, process.execPath, ['-e', listener], { stdio: ['ignore', 'pipe', 'inherit'] })
      if (child.stdout === null) throw new Error('no output')
      const lines = createInterface({ input: child.stdout })
      await once(lines, 'line')
      lines.on('line', (signal) => said.push(`${how.name} ${signal}`))
    }
    await group.stop()
    // A process has ended before the last line that it wrote is read.
    await expect.poll(() => said).toEqual(['application SIGTERM', 'store SIGINT'])
  })

  test('The processes and the folder of a group end when its holder is killed with SIGKILL.', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-process-group-'))
    const script = `
      import { openProcessGroup } from ${JSON.stringify(join(root, 'dist/dev/process-group.js'))}
      const group = openProcessGroup(() => {})
      group.removeFolderAtEnd(${JSON.stringify(folder)})
      const how = { name: 'sleep', signal: 'SIGTERM', stage: 0 }
      const child = group.start(how, 'sleep', ['600'], { stdio: 'ignore' })
      console.log(JSON.stringify(group.running()[0]))
      setInterval(() => {}, 1000)`
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(createInterface({ input: holder.stdout }), 'line')
    const ours = JSON.parse(line)
    expect(isRunning(ours)).toBe(true)

    holder.kill('SIGKILL')

    await until(() => !isRunning(ours) && !existsSync(folder))
  })

  test('A stopped group starts no more processes.', async () => {
    const group = openProcessGroup(() => {})
    await group.stop()
    expect(() => group.start(application, 'sleep', ['600'], {})).toThrow('everything is stopping')
  })

  test('The group forgets a process that exits by itself.', async () => {
    const changes: number[] = []
    const group = openProcessGroup(
      () => {},
      (running) => changes.push(running.length),
    )
    const child = group.start(application, 'cat', [], { stdio: ['pipe', 'ignore', 'ignore'] })
    child.stdin?.end()
    await once(child, 'exit')
    expect(changes).toEqual([1, 0])
    await group.stop()
  })
})

describe('The identity of a process', () => {
  test('A process that only has the pid of an earlier one is not stopped.', async () => {
    const child = spawn('sleep', ['600'])
    const { pid = 0 } = child
    await stopInOrder([{ ...application, pid, birth: 'another boot/1' }], () => {})
    expect(readBirth(pid)).not.toBeNull()
    child.kill()
  })

  test('A process has the same birth until it exits, and none afterwards.', async () => {
    const child = spawn('sleep', ['600'])
    const { pid = 0 } = child
    const birth = readBirth(pid)
    expect(birth).toBe(readBirth(pid))
    child.kill()
    await once(child, 'exit')
    expect(readBirth(pid)).toBeNull()
  })
})

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !holds() && Date.now() < end; ) await sleep(20)
  expect(holds()).toBe(true)
}
