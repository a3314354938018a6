import { describe, expect, test } from 'vitest'
import { createSupervisor } from '../../src/dev/supervisor.js'

/** A fake process whose exits the test controls. */
function fakeProcess(outcomes: ('lives' | 'fails')[] = []) {
  const ends: ((how: string) => void)[] = []
  let starts = 0
  const started: (() => void)[] = []
  return {
    name: 'gateway-1',
    async start() {
      starts += 1
      started.shift()?.()
      if (outcomes.shift() === 'fails') throw new Error('the port is taken')
      return { ended: new Promise<string>((resolve) => ends.push(resolve)) }
    },
    end: (how: string) => ends.shift()?.(how),
    nextStart: () => new Promise<void>((resolve) => started.push(resolve)),
    starts: () => starts,
  }
}

describe('The supervisor', () => {
  test('The supervisor restarts a process that ended and logs how it ended.', async () => {
    const lines: string[] = []
    const one = fakeProcess()
    await createSupervisor((line) => lines.push(line), [0]).start(one)

    const again = one.nextStart()
    one.end('SIGKILL')
    await again

    expect(lines[0]).toBe('The gateway-1 ended (SIGKILL); starting it again in 0 s')
  })

  test('The supervisor waits longer before each restart, up to the last delay.', async () => {
    const lines: string[] = []
    const one = fakeProcess()
    await createSupervisor((line) => lines.push(line), [1, 2, 3]).start(one)
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const again = one.nextStart()
      one.end('exit code 1')
      await again
      await new Promise((resolve) => setImmediate(resolve))
    }
    const waits = lines.filter((line) => line.includes('starting')).map((line) => line.match(/in (\S+) s/)?.[1])
    expect(waits).toEqual(['0.001', '0.002', '0.003', '0.003'])
  })

  test('The supervisor retries when a restart fails.', async () => {
    const one = fakeProcess(['lives', 'fails', 'lives'])
    await createSupervisor(() => {}, [0]).start(one)
    one.end('SIGKILL')
    await one.nextStart()
    await one.nextStart()
    expect(one.starts()).toBe(3)
  })

  test('The supervisor does not retry a first start that fails.', async () => {
    const one = fakeProcess(['fails'])
    await expect(createSupervisor(() => {}, [0]).start(one)).rejects.toThrow('the port is taken')
    expect(one.starts()).toBe(1)
  })

  test('A stopped supervisor restarts nothing.', async () => {
    const one = fakeProcess()
    const supervisor = createSupervisor(() => {}, [0])
    await supervisor.start(one)
    supervisor.stop()
    one.end('exit code 0')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(one.starts()).toBe(1)
  })
})
