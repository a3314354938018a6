import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseOptions } from '../../src/dev/options.js'

describe('The options of npm start', () => {
  test('The defaults are one gateway and one worker on port 9991.', () => {
    expect(parseOptions([])).toMatchObject({ gateways: 1, workers: 1, port: 9991 })
  })

  test('The options set the number of gateways and workers, the port and the folder.', () => {
    const args = ['--gateways', '3', '--workers=2', '--port', '8000', '--data', 'somewhere']
    expect(parseOptions(args)).toEqual({ gateways: 3, workers: 2, port: 8000, data: resolve('somewhere') })
  })

  test('A tilde in a folder stands for the home folder, because a shell does not expand it after an equals sign.', () => {
    expect(parseOptions(['--data=~/parley'])?.data).toBe(join(homedir(), 'parley'))
  })

  test('The option --help prevents a start.', () => {
    expect(parseOptions(['--help'])).toBeUndefined()
  })

  test.each([
    [['--gateways', '0'], '--gateways must be a whole number from 1 to 64, not "0"'],
    [['--workers', 'two'], '--workers must be a whole number from 0 to 64, not "two"'],
    [['--port', '70000'], '--port must be a whole number from 1 to 65535, not "70000"'],
    [['--port', '65535', '--gateways', '2'], '--port 65535 leaves no room for 2 gateways'],
    [['--gatewys', '2'], '--gatewys'],
  ])('The parser refuses %j and says: %s', (args, message) => {
    expect(() => parseOptions(args)).toThrow(message)
  })
})
