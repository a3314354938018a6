/**
 * Reads all people of a directory that a run needs, with their groups and the hashes of their pictures.
 *
 * 1. Everything is read in pages, because servers refuse longer answers.
 * 2. Pictures are read in small pages and only hashed, so they never fill the memory. A picture that has changed is
 *    loaded again by itself.
 */
import { createHash } from 'node:crypto'
import type { Directory } from '../../domain/log-in/directories.js'
import {
  listMappedAttributes,
  MEMBER_OF,
  needsGroups,
  normalizeDn,
  resolveGroups,
} from '../../domain/log-in/directory-mapping.js'
import { type EntryValues, personAttributes, readPerson } from '../../domain/log-in/directory-people.js'
import type { ReadPerson } from '../../domain/log-in/directory-synchronization.js'
import { type DirectorySession, withDirectory } from './directory-client.js'

const PAGE = 1_000
const PICTURE_PAGE = 50
/** How long reading everything may take. */
const LIMIT_MS = 600_000
/** How long reading one picture may take. */
const PICTURE_MS = 30_000
/** More people than an organization can have. */
const MAX_ENTRIES = 500_000

/** Reads them. Throws DirectoryError. */
export const readDirectory = (directory: Directory): Promise<ReadPerson[]> =>
  withDirectory(directory, LIMIT_MS, async (session) => {
    const { synchronization } = directory
    const mapped = synchronization === undefined ? [] : listMappedAttributes(synchronization.mapping)
    const hasGroups = synchronization !== undefined && needsGroups(synchronization.mapping)
    const parents = hasGroups ? await readParents(session, directory) : new Map<string, Set<string>>()
    const pictures = directory.attributes.picture === '' ? undefined : await readPictures(session, directory)
    const people = new Map<string, ReadPerson>()
    const search = {
      base_dn: directory.base_dn,
      filter: directory.user_filter,
      attributes: [...personAttributes(directory), ...mapped, ...(hasGroups ? memberOfAttributes(directory) : [])],
    }
    for await (const page of session.readAll(search, PAGE)) {
      for (const entry of page) {
        const person = readPerson(directory, entry)
        if (person === undefined) continue
        if (people.size === MAX_ENTRIES) throw new Error(`the directory has more than ${MAX_ENTRIES} people`)
        addParents(parents, entry)
        const attributes = new Map(mapped.map((name) => [name.toLowerCase(), readTexts(entry, name)]))
        attributes.set(MEMBER_OF, resolveGroups(normalizeDn(entry.dn), parents))
        const picture = pictures === undefined ? undefined : (pictures.get(person.subject) ?? '')
        people.set(person.subject, { ...person, attributes, picture })
      }
    }
    return [...people.values()]
  })

/** Loads the picture of a person; undefined: the person has moved or has none. Throws DirectoryError. */
export const readPicture = (
  directory: Directory,
  { dn, subject }: { dn: string; subject: string },
): Promise<Buffer | undefined> =>
  withDirectory(directory, PICTURE_MS, async (session) => {
    const { id, picture } = directory.attributes
    const search = { base_dn: dn, filter: directory.user_filter, attributes: [id, picture], isOne: true }
    const [entry] = await session.findTwo(search)
    if (entry === undefined || readPerson(directory, entry)?.subject !== subject) return undefined
    return readBytes(entry, picture)
  })

const memberOfAttributes = ({ membership }: Directory): string[] => (membership === 'memberOf' ? ['memberOf'] : [])

/** The groups of which each member is a direct one: of groups that name their members, and of groups in groups. */
const readParents = async (session: DirectorySession, directory: Directory): Promise<Map<string, Set<string>>> => {
  const parents = new Map<string, Set<string>>()
  const attributes = directory.membership === 'memberOf' ? ['memberOf'] : ['member', 'uniqueMember']
  const search = { base_dn: directory.group_base_dn, filter: directory.group_filter, attributes }
  for await (const page of session.readAll(search, PAGE)) {
    for (const entry of page) {
      addParents(parents, entry)
      for (const name of ['member', 'uniquemember']) {
        for (const member of readTexts(entry, name)) addParent(parents, normalizeDn(member), normalizeDn(entry.dn))
      }
    }
  }
  return parents
}

/** Adds the groups that an entry names itself. */
const addParents = (parents: Map<string, Set<string>>, entry: EntryValues): void => {
  for (const group of readTexts(entry, 'memberof')) addParent(parents, normalizeDn(entry.dn), normalizeDn(group))
}

const addParent = (parents: Map<string, Set<string>>, member: string, group: string): void => {
  const known = parents.get(member)
  if (known === undefined) parents.set(member, new Set([group]))
  else known.add(group)
}

const readPictures = async (session: DirectorySession, directory: Directory): Promise<Map<string, string>> => {
  const { id, picture } = directory.attributes
  const pictures = new Map<string, string>()
  const filter = `(&${directory.user_filter}(${picture}=*))`
  const search = { base_dn: directory.base_dn, filter, attributes: [id, picture] }
  for await (const page of session.readAll(search, PICTURE_PAGE)) {
    for (const entry of page) {
      const bytes = readBytes(entry, picture)
      const subject = readPerson(directory, entry)?.subject
      if (bytes !== undefined && subject !== undefined) pictures.set(subject, hashPicture(bytes))
    }
  }
  return pictures
}

/** Names a picture. */
export const hashPicture = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const readTexts = ({ values }: EntryValues, name: string): Set<string> =>
  new Set((values.get(name.toLowerCase()) ?? []).filter((value) => typeof value === 'string'))

const readBytes = ({ values }: EntryValues, name: string): Buffer | undefined => {
  const [value] = values.get(name.toLowerCase()) ?? []
  return Buffer.isBuffer(value) && value.length > 0 ? value : undefined
}
