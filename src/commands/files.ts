/** Commands for the storage of uploaded files. */

import { OperatorError } from '../administration/operator-error.js'
import type { Config } from '../config/config.js'
import { describeFiles, findForeignFiles } from '../store/deployment/examine-services.js'
import { loadIdentity } from '../store/deployment/identity.js'
import { copyStorage, removeCopied } from '../store/files/copy-storage.js'
import { openFileStorage } from '../store/files/open-file-storage.js'
import { findWriteProblem } from '../store/files/write-probe.js'
import { command, UsageError } from './command.js'

/** The commands for files, in the order of the help. */
export const fileCommands = [
  command({
    name: 'move-files',
    options: {
      to: { value: 'WHERE', required: true, about: 'bucket (S3_BUCKET) or folder (UPLOADS_DIR)' },
      'delete-source': { about: 'deletes each file that the target has: when all processes use the target' },
    },
    about:
      'Copies the uploaded files from the folder into the bucket, or back. Both must be set: UPLOADS_DIR, and S3_BUCKET\n' +
      'with its variables. What the target has already is not copied again. Run it while the deployment works, then\n' +
      'again after its processes were stopped: that takes a moment. Then start them with or without S3_BUCKET.',
    async run(context, { options }) {
      if (options.to !== 'bucket' && options.to !== 'folder')
        throw new UsageError(`--to must be bucket or folder, and not ${options.to}.`)
      const bucket = context.config()
      if (bucket.S3_BUCKET === undefined) throw new OperatorError('S3_BUCKET must be set: it names the bucket.')
      const folder = { ...bucket, S3_BUCKET: undefined }
      const [source, target] = options.to === 'bucket' ? [folder, bucket] : [bucket, folder]
      const { sql } = await context.open()
      const [from, to] = [await openFileStorage(source), await openFileStorage(target)]
      const problem = await findWriteProblem(to)
      if (problem !== undefined) throw new OperatorError(`${describeFiles(target)}: files cannot be stored: ${problem}`)
      const identity = await loadIdentity(sql)
      const checkOwner = async (config: Config, files: typeof from) => {
        const foreign = identity === undefined ? undefined : await findForeignFiles(config, files, identity)
        if (foreign !== undefined) throw new OperatorError(foreign)
      }
      await checkOwner(source, from)
      await checkOwner(target, to)
      const { copied, bytes, present } = await copyStorage(from, to, false)
      if (copied + present === 0) throw new OperatorError(`${describeFiles(source)} has no files.`)
      const removed = options['delete-source'] ? await removeCopied(from, to) : 0
      return { copied, bytes, present, removed }
    },
  }),
]
