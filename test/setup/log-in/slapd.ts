/** A real OpenLDAP server (Debian's slapd) on this machine, with people and groups of the test. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Attribute, Change, Client } from 'ldapts'
import {
  findProgram,
  libraryEnvironment,
  unpackDebianPackage,
  unpackedFolder,
} from '../../../src/dev/debian-package.mjs'
import { freePort } from '../../../src/dev/ports.js'
import { root } from '../../../src/dev/root.js'
import { makeCertificates } from '../processes/certificates.js'

/** The program, its schemas and its modules. */
export interface SlapdProgram {
  command: string
  env: Record<string, string>
  schemas: string
  modules: string
}

/** Finds slapd on this machine, or unpacks it from Debian's archive. Returns undefined when neither is possible. */
export const findSlapd = (): SlapdProgram | undefined => {
  const path = `${process.env.PATH}:/usr/sbin`
  const installed = findProgram({ path }, 'slapd')
  if (installed !== undefined && existsSync('/etc/ldap/schema') && existsSync('/usr/lib/ldap/back_mdb.so')) {
    return { command: installed, env: {}, schemas: '/etc/ldap/schema', modules: '/usr/lib/ldap' }
  }
  const cache = join(root, 'node_modules/.cache/parley-slapd')
  const folder = unpackedFolder(cache)
  if (!existsSync(folder)) unpackDebianPackage({ path, cache }, 'slapd', () => {})
  const command = join(folder, 'usr/sbin/slapd')
  const env = libraryEnvironment(folder)
  if (spawnSync(command, ['-VV'], { env }).status !== 0) return undefined
  return { command, env, schemas: join(folder, 'etc/ldap/schema'), modules: join(folder, 'usr/lib/ldap') }
}

export const BASE = 'dc=example,dc=org'
export const PEOPLE = `ou=people,${BASE}`
export const GROUPS = `ou=groups,${BASE}`
export const READER = `cn=reader,${BASE}`
export const READER_PASSWORD = 'reader-password'
const ADMIN = `cn=admin,${BASE}`
const ADMIN_PASSWORD = 'admin-password'

/** A directory that runs. */
export interface RunningSlapd extends AsyncDisposable {
  /** ldap://, with StartTLS */
  url: string
  /** ldaps:// */
  secure_url: string
  /** the file of the authority of its certificate */
  ca_file: string
  /** Runs a piece of work with a client that may change everything. */
  change(work: (client: Client) => Promise<unknown>): Promise<void>
  /** Adds people: their uid is also their password, unless they have another one. */
  addPeople(people: readonly NewPerson[], base_dn?: string): Promise<void>
  /** Adds a place for people of one test. @returns its DN */
  addPlace(ou: string): Promise<string>
}

export interface NewPerson {
  uid: string
  name?: string
  /** undefined: uid@example.org */
  mail?: string | null
  password?: string
  more?: Record<string, string | string[]>
  /** a JPEG */
  picture?: Buffer
}

/** The DN of a person. */
export const dnOf = (uid: string, base_dn = PEOPLE): string => `uid=${uid},${base_dn}`

/** Starts a directory with an account for reading and places for people. */
export const startSlapd = async (program: SlapdProgram): Promise<RunningSlapd> => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-slapd-'))
  const { ca, cert, key } = makeCertificates()
  const [port, securePort] = [await freePort(), await freePort()]
  mkdirSync(join(folder, 'data'))
  const schemas = ['core', 'cosine', 'inetorgperson'].map((name) => `include ${program.schemas}/${name}.schema`)
  // The reader gets pages of any number of entries, and 500 entries without pages.
  writeFileSync(
    join(folder, 'slapd.conf'),
    [
      ...schemas,
      `modulepath ${program.modules}`,
      'moduleload back_mdb',
      `pidfile ${folder}/slapd.pid`,
      `TLSCACertificateFile ${ca}`,
      `TLSCertificateFile ${cert}`,
      `TLSCertificateKeyFile ${key}`,
      'database mdb',
      'maxsize 268435456',
      `suffix "${BASE}"`,
      `rootdn "${ADMIN}"`,
      `rootpw ${ADMIN_PASSWORD}`,
      `directory ${folder}/data`,
      'index objectClass,uid,mail,entryUUID eq',
      `limits dn.exact="${READER}" size.soft=500 size.hard=500 size.pr=1000 size.prtotal=unlimited`,
      'access to attrs=userPassword by anonymous auth by * none',
      `access to * by dn.exact="${READER}" read by * none`,
      '',
    ].join('\n'),
  )
  const url = `ldap://127.0.0.1:${port}`
  const secure_url = `ldaps://127.0.0.1:${securePort}`
  const child = spawn(program.command, ['-f', join(folder, 'slapd.conf'), '-h', `${url}/ ${secure_url}/`, '-d', '0'], {
    env: program.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (piece: Buffer) => {
    said += piece.toString()
  })
  const change = async (work: (client: Client) => Promise<unknown>) => {
    const client = new Client({ url, timeout: 10_000 })
    try {
      await client.bind(ADMIN, ADMIN_PASSWORD)
      await work(client)
    } finally {
      await client.unbind().catch(() => {})
    }
  }
  for (let attempt = 1; ; attempt++) {
    if (child.exitCode !== null) throw new Error(`slapd ended: ${said}`)
    try {
      await change(async () => {})
      break
    } catch (error) {
      if (attempt === 200) throw error
      await sleep(50)
    }
  }
  await change(async (client) => {
    await client.add(BASE, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' })
    await client.add(PEOPLE, { objectClass: 'organizationalUnit', ou: 'people' })
    await client.add(GROUPS, { objectClass: 'organizationalUnit', ou: 'groups' })
    const reader = { objectClass: ['organizationalRole', 'simpleSecurityObject'], cn: 'reader' }
    await client.add(READER, { ...reader, userPassword: READER_PASSWORD })
  })
  return {
    url,
    secure_url,
    ca_file: ca,
    change,
    async addPlace(ou) {
      const dn = `ou=${ou},${BASE}`
      await change((client) => client.add(dn, { objectClass: 'organizationalUnit', ou }))
      return dn
    },
    addPeople: (people, base_dn = PEOPLE) =>
      change(async (client) => {
        for (const { uid, name = uid, mail = `${uid}@example.org`, password = uid, more = {}, picture } of people) {
          await client.add(dnOf(uid, base_dn), {
            objectClass: 'inetOrgPerson',
            uid,
            cn: name,
            sn: name,
            userPassword: password,
            ...(mail === null ? {} : { mail }),
            ...more,
          })
          if (picture !== undefined) await client.modify(dnOf(uid, base_dn), pictureChange(picture))
        }
      }),
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      if (child.exitCode === null) {
        child.kill('SIGKILL')
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The change that sets the picture of a person. */
export const pictureChange = (picture: Buffer): Change =>
  new Change({ operation: 'replace', modification: new Attribute({ type: 'jpegPhoto', values: [picture] }) })

/** The change that sets a text of an entry. */
export const textChange = (type: string, ...values: string[]): Change =>
  new Change({ operation: 'replace', modification: new Attribute({ type, values }) })

/** Whether a file has a text, for tests that look for secrets. */
export const fileHas = (file: string, text: string): boolean => readFileSync(file, 'utf8').includes(text)
