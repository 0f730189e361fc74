import { posix } from 'node:path'
import type { SourceFile, Violation } from './workspace.ts'

/**
 * Refuses circles between folders. Where two files that import each other's folders part, their parent's entries (files
 * and folders alike) must form no circle, at every level of a package.
 */
export function checkCircles(files: readonly SourceFile[]): Violation[] {
  const known = new Set(files.map(({ path }) => path))
  const levels = new Map<string, Map<string, Set<string>>>()
  for (const { path, imports } of files)
    for (const specifier of imports.filter((each) => each.startsWith('.'))) {
      const target = posix.join(posix.dirname(path), specifier)
      if (known.has(target)) note(levels, path.split('/'), target.split('/'))
    }
  return [...levels].flatMap(([level, edges]) => {
    const circle = findCircle(edges)
    return circle === undefined
      ? []
      : [{ file: level, message: `a circle of imports: ${circle.join(' → ')}` }]
  })
}

function note(
  levels: Map<string, Map<string, Set<string>>>,
  from: readonly string[],
  to: readonly string[],
): void {
  const depth = from.findIndex((part, index) => part !== to[index])
  const [source, target] = [from[depth], to[depth]]
  if (source === undefined || target === undefined) return
  const level = from.slice(0, depth).join('/')
  const edges = levels.get(level) ?? new Map<string, Set<string>>()
  levels.set(level, edges)
  edges.set(source, (edges.get(source) ?? new Set()).add(target))
}

/** One that is there, beginning and ending with the same entry. */
function findCircle(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] | undefined {
  const done = new Set<string>()
  const visit = (entry: string, path: readonly string[]): string[] | undefined => {
    const start = path.indexOf(entry)
    if (start !== -1) return [...path.slice(start), entry]
    if (done.has(entry)) return undefined
    for (const next of edges.get(entry) ?? []) {
      const circle = visit(next, [...path, entry])
      if (circle !== undefined) return circle
    }
    done.add(entry)
    return undefined
  }
  for (const entry of edges.keys()) {
    const circle = visit(entry, [])
    if (circle !== undefined) return circle
  }
  return undefined
}
