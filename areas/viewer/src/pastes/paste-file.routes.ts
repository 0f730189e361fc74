import { getPasteFile } from '@patchbay/contracts/viewer'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { FastifyReply } from 'fastify'
import type { PasteFolder } from '../ports.ts'
import { openPaste } from './paste-file.io.ts'

/** Serves the files of pastes, and nothing else of the folder. */
export function registerPasteFiles(app: HttpApp, folder: Pick<PasteFolder, 'pathOf' | 'list'>): void {
  app.route({
    ...on(getPasteFile),
    async handler(request, reply) {
      const handle = await openPaste(folder, currentNameOf(folder, request.params.file))
      const { size, mtimeMs, ino } = await handle.stat()
      // A name can pass to another picture, so no copy is used without asking.
      const etag = `"${ino.toString(36)}-${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`
      void reply.headers({
        'cache-control': 'private, no-cache',
        'cross-origin-resource-policy': 'same-origin',
        etag,
      })
      if (request.headers['if-none-match'] === etag) {
        await handle.close()
        return (reply as FastifyReply).code(304).send()
      }
      return reply.type('image/png').header('content-length', size).send(handle.createReadStream())
    },
  })
}

/** A page draws what it was told of a moment ago; a name may have been found since. */
function currentNameOf(folder: Pick<PasteFolder, 'pathOf' | 'list'>, file: string): string {
  if (folder.pathOf(file) !== undefined) return file
  for (const { name, earlier, optimized, original } of folder.list())
    for (const { file: current } of [optimized, original])
      if (earlier.some((before) => before.name + current.slice(name.length) === file)) return current
  return file
}
