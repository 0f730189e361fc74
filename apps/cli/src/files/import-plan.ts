import { foldersOf, foldPath, normalizePath, pathFault } from '@patchbay/contracts/content'

/** What happens to a path elsewhere. */
export type Incoming =
  | { readonly kind: 'file'; readonly path: string; readonly id: string; readonly size: number }
  | { readonly kind: 'deleted'; readonly path: string }
  /** A link, a repository inside, or a name that is no text. */
  | { readonly kind: 'unfit'; readonly path: string; readonly why: string }

export type Step =
  | { readonly op: 'put'; readonly path: string; readonly id: string; readonly size: number }
  | { readonly op: 'delete'; readonly path: string }

export interface LeftOut {
  readonly path: string
  readonly why: string
}

/** The files of a workspace while changes are brought in: what it could not hold is left out. */
export class IncomingTree {
  readonly leftOut = new Map<string, LeftOut>()
  readonly #into: string
  readonly #largest: number
  readonly #files = new Map<string, { readonly id: string; readonly size: number }>()
  /** Files, and folders with how many files they hold, by what they are where upper and lower case are the same. */
  readonly #taken = new Map<string, { readonly path: string; readonly isFile: boolean; count: number }>()
  #bytes = 0

  /** `into`: the folder that everything goes to; empty for the top. */
  constructor(into: string, largest: number) {
    this.#into = into === '' ? '' : `${into}/`
    this.#largest = largest
  }

  get files(): number {
    return this.#files.size
  }

  get bytes(): number {
    return this.#bytes
  }

  /** What one change does to the workspace. Deletions first: a path may be taken by another spelling, or by a folder. */
  apply(incoming: readonly Incoming[]): Step[] {
    const steps: Step[] = []
    const written: (Incoming & { readonly kind: 'file' })[] = []
    for (const each of incoming) {
      const path = this.#into + each.path.normalize('NFC')
      const why = each.kind === 'deleted' ? undefined : this.#unfit(each, path)
      if (each.kind === 'file' && why === undefined) written.push({ ...each, path: normalizePath(path) })
      else {
        if (why !== undefined) this.leftOut.set(path, { path: each.path, why })
        if (this.#delete(path)) steps.push({ op: 'delete', path })
      }
    }
    for (const { path, id, size } of written) {
      const inTheWay = this.#inTheWay(path)
      if (inTheWay !== undefined) this.leftOut.set(path, { path, why: `${inTheWay} is in the way` })
      else if (this.#files.get(path)?.id !== id) {
        this.#delete(path)
        this.#add(path, id, size)
        steps.push({ op: 'put', path, id, size })
      }
    }
    return steps
  }

  #unfit(each: Incoming & { readonly kind: 'file' | 'unfit' }, path: string): string | undefined {
    if (each.kind === 'unfit') return each.why
    if (each.size > this.#largest) return `more than ${this.#largest / 1024 ** 2} MiB`
    return pathFault(path)
  }

  #inTheWay(path: string): string | undefined {
    for (const folder of foldersOf(path)) {
      const other = this.#taken.get(foldPath(folder))
      if (other !== undefined && (other.isFile || other.path !== folder)) return other.path
    }
    const other = this.#taken.get(foldPath(path))
    return other === undefined || (other.isFile && other.path === path) ? undefined : other.path
  }

  #add(path: string, id: string, size: number): void {
    this.#files.set(path, { id, size })
    this.#bytes += size
    this.#taken.set(foldPath(path), { path, isFile: true, count: 1 })
    for (const folder of foldersOf(path)) {
      const known = this.#taken.get(foldPath(folder))
      if (known === undefined) this.#taken.set(foldPath(folder), { path: folder, isFile: false, count: 1 })
      else known.count += 1
    }
  }

  #delete(path: string): boolean {
    const file = this.#files.get(path)
    if (file === undefined) return false
    this.#files.delete(path)
    this.#bytes -= file.size
    this.#taken.delete(foldPath(path))
    for (const folder of foldersOf(path)) {
      const known = this.#taken.get(foldPath(folder))
      if (known !== undefined && --known.count === 0) this.#taken.delete(foldPath(folder))
    }
    return true
  }
}
