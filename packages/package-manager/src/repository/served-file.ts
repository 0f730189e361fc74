import { realpath, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { sha256Of } from '../client/body.ts'
import { rebaseFiles } from './rebase-files.ts'

export interface ServedFile {
  readonly etag: string
  readonly type: string
  readonly size: number
  /** The bytes, or the path of the file that has them. */
  readonly content: Uint8Array | string
}

/** These name addresses. */
const REBASED: ReadonlySet<string> = new Set(['repository.json', 'packages.json', 'manifests.json'])

const TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.zip': 'application/zip',
  '.png': 'image/png',
}

/** `undefined` for what is not there, and for what is not to be seen. */
export async function findServed(
  folder: string,
  base: string,
  target: string,
): Promise<ServedFile | undefined> {
  const name = nameOf(target, base)
  if (name === undefined) return undefined
  const path = await findBelow(folder, name)
  if (path === undefined) return undefined
  const type = TYPES[extname(name)] ?? 'application/octet-stream'
  const rebased = REBASED.has(name) ? (await rebaseFiles(folder, base)).files.get(name) : undefined
  if (rebased !== undefined)
    return { etag: `"${sha256Of(rebased)}"`, type, size: rebased.length, content: rebased }
  const stats = await stat(path, { bigint: true }).catch(() => undefined)
  if (stats?.isFile() !== true) return undefined
  const etag = `"${stats.size.toString(16)}-${stats.mtimeNs.toString(16)}"`
  return { etag, type, size: Number(stats.size), content: path }
}

/** Where a file really is: a link may lead out of the folder, or to what is hidden in it. */
async function findBelow(folder: string, name: string): Promise<string | undefined> {
  const top = await realpath(folder).catch(() => undefined)
  const path = await realpath(join(folder, name)).catch(() => undefined)
  if (top === undefined || path?.startsWith(`${top}${sep}`) !== true) return undefined
  const isHidden = relative(top, path)
    .split(sep)
    .some((part) => part.startsWith('.'))
  return isHidden ? undefined : path
}

/** Below the folder, and nothing whose name begins with a dot: unfinished builds do. */
function nameOf(target: string, base: string): string | undefined {
  if (!URL.canParse(target, base)) return undefined
  const parts = new URL(target, base).pathname.split('/').slice(1)
  const names = parts.map(decode)
  const isSound = names.every((name) => name !== undefined && /^[^./\\\0][^/\\\0]*$/.test(name))
  return isSound ? names.join('/') : undefined
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
