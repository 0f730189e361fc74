import { type FileHandle, open } from 'node:fs/promises'
import { extname } from 'node:path'
import { Problem } from '@patchbay/contracts/core'
import type { FastifyReply } from 'fastify'
import { acceptWeights } from './accept.ts'
import { sendStream } from './send-stream.ts'

/** The kinds of files that a build of the pages has. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
}

/** What the build lays beside each text, the smallest first. */
const CODINGS = [
  { coding: 'br', ending: '.br' },
  { coding: 'gzip', ending: '.gz' },
]
const PLAIN = { coding: undefined, ending: '' }

/**
 * Sends a file of the built pages in the best form that is there and that the client takes. The path must not come from an
 * address as it stands: nothing here keeps it inside a folder.
 */
export async function sendBuiltFile(
  reply: FastifyReply,
  path: string,
  cacheControl: string,
): Promise<FastifyReply> {
  const { 'accept-encoding': accepted, 'if-none-match': known = '' } = reply.request.headers
  for (const { coding, ending } of [...takenCodings(accepted), PLAIN]) {
    const file = await openFile(path + ending)
    if (file === undefined) continue
    const { size, mtimeMs } = file.stats
    const tag = `"${size.toString(16)}-${Math.trunc(mtimeMs).toString(16)}${ending}"`
    void reply.headers({ 'cache-control': cacheControl, etag: tag, vary: 'accept-encoding' })
    // Proxies that compress by themselves make a tag weak.
    if (known.split(',').some((each) => each.trim().replace(/^W\//, '') === tag)) {
      await file.handle.close()
      return reply.code(304).send()
    }
    if (coding !== undefined) void reply.header('content-encoding', coding)
    const type = TYPES[extname(path)] ?? 'application/octet-stream'
    void reply.headers({ 'content-type': type, 'content-length': size })
    return sendStream(reply, file.handle.createReadStream())
  }
  throw new Problem('not_found')
}

function takenCodings(accepted: string | undefined) {
  const weights = acceptWeights(accepted)
  const weigh = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  // Stable: among equals the smaller one stays first.
  return CODINGS.filter(({ coding }) => weigh(coding) > 0).toSorted(
    (a, b) => weigh(b.coding) - weigh(a.coding),
  )
}

async function openFile(path: string) {
  let handle: FileHandle
  try {
    handle = await open(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const stats = await handle.stat()
  if (stats.isFile()) return { handle, stats }
  await handle.close()
  return undefined
}
