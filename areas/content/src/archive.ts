import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ObjectStore } from '@patchbay/kernel/objects'
import { ZipFile } from 'yazl'
import type { CurrentFile } from './file-change.ts'

/** Equal files give equal archives. */
const MODIFIED = new Date(Date.UTC(2000, 0, 1))
const MODE = 0o100644

/**
 * A ZIP archive of files, one after the other as the reader takes them. Nothing is compressed: what is large here mostly
 * is already, and the server would be slower than the line.
 */
export function zipOf(
  files: readonly CurrentFile[],
  folder: string | undefined,
  objects: ObjectStore,
): Readable {
  const zip = new ZipFile()
  const output = new PassThrough()
  zip.on('error', (error: Error) => output.destroy(error))
  for (const { path, sha256, size } of files) {
    const name = folder === undefined ? path : path.slice(folder.length + 1)
    const options = { compress: false, size, mtime: MODIFIED, mode: MODE }
    zip.addReadStreamLazy(name, options, (give) => {
      objects.get(sha256).then(
        (content) => {
          if (content === undefined)
            return give(new Error(`the bytes of a file are missing: ${sha256}`), null as never)
          content.stream.once('error', (error) => output.destroy(error))
          give(null, content.stream)
        },
        (error: Error) => give(error, null as never),
      )
    })
  }
  zip.end()
  // Whoever leaves early takes what is open with them.
  pipeline(zip.outputStream, output).catch(() => undefined)
  return output
}
