import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Repository } from '@patchbay/package-format'
import { sha256Of } from '../client/body.ts'
import { jsonBytes } from './index-files.ts'

export interface RebasedFiles {
  readonly isRebased: boolean
  /** The files that name addresses, by name. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

type Move = (text: string) => string

const AS_IT_IS: RebasedFiles = { isRebased: false, files: new Map() }

/** A folder as it would have been built for another address. What cannot be read is served as it is. */
export async function rebaseFiles(folder: string, base: string): Promise<RebasedFiles> {
  const index = await readFile(join(folder, 'repository.json')).catch(() => undefined)
  const from = index && baseOf(parse(index))
  if (index === undefined || from === undefined || from === base) return AS_IT_IS
  const move: Move = (text) => (text.startsWith(from) ? `${base}${text.slice(from.length)}` : text)
  const files = new Map<string, Uint8Array>()
  const hashes = new Map<string, string>()
  for (const name of ['packages.json', 'manifests.json']) {
    const bytes = await readFile(join(folder, name)).catch(() => undefined)
    const moved = bytes && parse(bytes, move)
    if (bytes === undefined || moved === undefined) continue
    files.set(name, jsonBytes(moved))
    hashes.set(sha256Of(bytes), sha256Of(jsonBytes(moved)))
  }
  // Only what had the right hash gets a new one: a wrong hash is what somebody may be looking for.
  files.set('repository.json', jsonBytes(parse(index, move, hashes)))
  return { isRebased: true, files }
}

function baseOf(repository: unknown): string | undefined {
  const { packages } = (repository ?? {}) as Partial<Repository>
  const url = packages?.url
  return typeof url === 'string' && URL.canParse(url) ? new URL('.', url).href : undefined
}

function parse(bytes: Uint8Array, move?: Move, hashes?: ReadonlyMap<string, string>): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'), (key, value: unknown) => {
      if (typeof value !== 'string') return value
      if (key === 'url' || key === 'download_url') return move?.(value) ?? value
      return key === 'sha256' ? (hashes?.get(value) ?? value) : value
    })
  } catch {
    return undefined
  }
}
