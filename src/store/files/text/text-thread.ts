/** The program of the thread that reads the text of one document (text-operations.ts). */
import { parentPort, workerData } from 'node:worker_threads'
import { readDocumentText } from './document-text.js'

parentPort?.postMessage(await readDocumentText(workerData as Uint8Array))
