/**
 * The claim of a deployment on its folder or bucket of files: which deployment it belongs to, and for each of its cells
 * in which database it is.
 */
import type { FileStorage } from '../files/file-storage.js'
import { type Identity, isCopied, proveDeployment } from './identity.js'

type ClaimStorage = Pick<FileStorage, 'get' | 'put'>

interface Marker {
  deployment: string
  /** made of the id and SECRET_KEY: a new cell, which has the same secret, joins the deployment */
  proof: string
}

/** Where the storage says whose it is. */
export const MARKER = 'deployment.json'
const cellKey = (cell: string) => `deployment-cells/${cell}.json`

const read = async <T>(files: ClaimStorage, key: string): Promise<T | undefined> => {
  const bytes = await files.get(key)
  return bytes === undefined ? undefined : (JSON.parse(bytes.toString()) as T)
}

const write = (files: ClaimStorage, key: string, value: object) => files.put(key, Buffer.from(JSON.stringify(value)))

/** The deployment to which the storage belongs; undefined: to none yet. */
export const readFilesOwner = async (
  files: ClaimStorage,
  secrets: readonly string[],
): Promise<{ id: string; hasOurSecret: boolean } | undefined> => {
  const marker = await read<Marker>(files, MARKER)
  if (marker === undefined) return undefined
  const id = String(marker.deployment)
  return { id, hasOurSecret: secrets.some((secret) => proveDeployment(id, secret) === marker.proof) }
}

/** Claims the storage for the deployment. @param secret the newest one */
export const claimFiles = (files: ClaimStorage, { id }: Identity, secret: string): Promise<void> =>
  write(files, MARKER, { deployment: id, proof: proveDeployment(id, secret) } satisfies Marker)

/** Says that the cell is in this database now. */
export const claimCellFiles = (files: ClaimStorage, { cell, actual }: Identity): Promise<void> =>
  write(files, cellKey(cell), { database: actual })

/** Whether an operator has adopted another database as this cell. Claims the cell if nobody has. */
export const isCellElsewhere = async (files: ClaimStorage, identity: Identity): Promise<boolean> => {
  const claim = await read<{ database: string }>(files, cellKey(identity.cell))
  if (claim === undefined && !isCopied(identity)) await claimCellFiles(files, identity)
  return claim !== undefined && claim.database !== identity.actual
}
