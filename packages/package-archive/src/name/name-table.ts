import { quote } from '@patchbay/primitives/text'
import type { NameFault } from './check-name.ts'

type Kind = 'file' | 'folder' | 'implied folder'

interface Known {
  readonly path: string
  readonly kind: Kind
}

/**
 * All names of one archive. On a file system that ignores case or Unicode form, the second of two names that differ
 * in those alone would overwrite the first, or put files into its folder.
 */
export class NameTable {
  readonly #known = new Map<string, Known>()

  add(path: string, kind: 'file' | 'folder'): NameFault | undefined {
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      const fault = this.#claim(path.slice(0, slash), 'implied folder')
      if (fault !== undefined) return fault
    }
    return this.#claim(path, kind)
  }

  #claim(path: string, kind: Kind): NameFault | undefined {
    const key = collisionKey(path)
    const known = this.#known.get(key)
    if (
      known === undefined ||
      (known.path === path && known.kind === 'implied folder' && kind === 'folder')
    ) {
      this.#known.set(key, { path, kind })
      return undefined
    }
    if (known.path !== path)
      return {
        reason: 'case_collision',
        message: `and ${quote(known.path)} are one name on systems that ignore case or Unicode form; rename one`,
      }
    if (kind === 'implied folder' && known.kind !== 'file') return undefined
    const message =
      known.kind === kind ? 'is in the archive twice' : 'is both a file and a folder in the archive'
    return { reason: 'duplicate_name', message }
  }
}

/** Upper case first: it joins letters that lower case keeps apart, such as ß and ss, or the two small sigmas. */
function collisionKey(path: string): string {
  return path.normalize('NFD').toUpperCase().toLowerCase().normalize('NFD')
}
