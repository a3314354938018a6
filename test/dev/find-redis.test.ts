import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findRedis } from '../../src/dev/find-redis.js'

describe('Finding a private Redis', () => {
  let folder: string
  let bin: string
  const search = () => ({ path: bin, cache: join(folder, 'cache'), tell: () => {} })

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-find-redis-'))
    bin = join(folder, 'bin')
    mkdirSync(bin)
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Writes an executable shell script. */
  const program = (path: string, lines: string) => {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, `#!/bin/sh\n${lines}\n`)
    chmodSync(path, 0o755)
    return path
  }
  const server = (path: string, version: string) => program(path, `echo "Redis server v=${version} sha=0"`)

  test('The search prefers redis-server on PATH.', () => {
    const redis = server(join(bin, 'redis-server'), '7.2.4')
    server(join(bin, 'valkey-server'), '8.0.0')
    server(join(folder, 'cache/unpacked/redis-server'), '7.0.15')
    expect(findRedis(search()).command).toBe(redis)
  })

  test('The search takes valkey-server on PATH when there is no redis-server.', () => {
    const valkey = server(join(bin, 'valkey-server'), '8.0.0')
    expect(findRedis(search()).command).toBe(valkey)
  })

  test('The search skips a server that is too old and one that does not run.', () => {
    server(join(bin, 'redis-server'), '5.0.14')
    program(join(bin, 'valkey-server'), 'exit 127')
    const unpacked = server(join(folder, 'cache/unpacked/redis-server'), '7.0.15')
    expect(findRedis(search()).command).toBe(unpacked)
  })

  test('An unpacked server finds the libraries that were unpacked with it.', () => {
    server(join(folder, 'cache/unpacked/redis-server'), '7.0.15')
    const libraries = join(folder, 'cache/unpacked/usr/lib/x86_64-linux-gnu')
    mkdirSync(libraries, { recursive: true })
    writeFileSync(join(libraries, 'libatomic.so.1'), '')
    expect(findRedis(search()).env.LD_LIBRARY_PATH).toBe(libraries)
  })

  test('With apt, the search unpacks redis-tools and starts its binary under the name redis-server.', () => {
    // These stand-ins for apt-get and dpkg do only what the search asks of them.
    program(
      join(bin, 'apt-get'),
      `for last; do :; done
       [ "$last" = redis-tools ] || exit 0
       for option; do case $option in Dir::Cache=*) : > "\${option#*=}/archives/redis-tools.deb";; esac; done`,
    )
    program(
      join(bin, 'dpkg'),
      `/bin/mkdir -p "$3/usr/bin"
       printf '#!/bin/sh\\necho "$0 v=7.0.15"\\n' > "$3/usr/bin/redis-check-rdb"
       /bin/chmod +x "$3/usr/bin/redis-check-rdb"`,
    )
    const { command } = findRedis(search())
    expect(command).toBe(join(folder, 'cache/unpacked/redis-server'))
    expect(readFileSync(command, 'utf8')).toContain('v=7.0.15')
  })

  test('The error names the command that installs a server on this system.', () => {
    program(join(bin, 'brew'), 'exit 0')
    expect(() => findRedis(search())).toThrow(/brew install valkey[\s\S]*REDIS_URL/)
  })
})
