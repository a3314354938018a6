/** The program of the thread that reads one document (text-operations.ts). */
import { parentPort, workerData } from 'node:worker_threads'
import { composeFileVector } from '../../../domain/search/file-vector.js'
import { countKnowableWords } from '../../../domain/search/spelling.js'
import { readDocumentText } from './document-text.js'
import type { DocumentWords, ThreadInput } from './text-operations.js'

const { bytes, realm_id, name } = workerData as ThreadInput
const text = await readDocumentText(bytes)
parentPort?.postMessage({
  vector: composeFileVector(realm_id, `${name}\n${text}`),
  counts: [...countKnowableWords([text])],
} satisfies DocumentWords)
