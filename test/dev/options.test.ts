import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseOptions } from '../../src/dev/options.js'

describe('the options of npm start', () => {
  test('are one gateway and one worker on port 9991 when nothing is said', () => {
    expect(parseOptions([])).toMatchObject({ gateways: 1, workers: 1, port: 9991 })
  })

  test('take a number of gateways and workers, a port and a folder', () => {
    const args = ['--gateways', '3', '--workers=2', '--port', '8000', '--data', 'somewhere']
    expect(parseOptions(args)).toEqual({ gateways: 3, workers: 2, port: 8000, data: resolve('somewhere') })
  })

  test('know the home folder by its sign, which a shell leaves alone after an equals sign', () => {
    expect(parseOptions(['--data=~/parley'])?.data).toBe(join(homedir(), 'parley'))
  })

  test('ask for help in place of a start', () => {
    expect(parseOptions(['--help'])).toBeUndefined()
  })

  test.each([
    [['--gateways', '0'], '--gateways must be a whole number from 1 to 64, not "0"'],
    [['--workers', 'two'], '--workers must be a whole number from 0 to 64, not "two"'],
    [['--port', '70000'], '--port must be a whole number from 1 to 65535, not "70000"'],
    [['--port', '65535', '--gateways', '2'], '--port 65535 leaves no room for 2 gateways'],
    [['--gatewys', '2'], '--gatewys'],
  ])('are refused by name: %j', (args, message) => {
    expect(() => parseOptions(args)).toThrow(message)
  })
})
