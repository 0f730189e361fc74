import { posix } from 'node:path'
import type { SourceFile, Violation } from './workspace.ts'

/** Inside one folder, which of its folders may import which others of them. */
const LAYERS: readonly {
  readonly folder: string
  readonly to: Readonly<Record<string, readonly string[]>>
}[] = [
  // Two implementations of the same ports: what one takes from the other, it depends on at run time as well.
  { folder: 'packages/kernel/src/bus', to: { ports: [], redis: ['ports'], 'in-process': ['ports'] } },
  // What drives a panel stands on the rooms, and nothing below knows who drives it.
  {
    folder: 'areas/panels/src',
    to: {
      catalog: [],
      access: ['catalog'],
      workspaces: ['catalog', 'access'],
      rooms: ['catalog', 'access', 'workspaces'],
      webview: ['catalog', 'access', 'workspaces', 'rooms'],
      sandbox: ['catalog', 'access', 'workspaces', 'rooms'],
      screenshots: ['catalog', 'access', 'workspaces', 'rooms'],
    },
  },
]

export function checkLayers(files: readonly SourceFile[]): Violation[] {
  return LAYERS.flatMap(({ folder, to }) =>
    files.flatMap(({ path, imports }) => {
      const from = layerOf(folder, path)
      const allowed = from === undefined ? undefined : to[from]
      if (allowed === undefined) return []
      return imports
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => posix.join(posix.dirname(path), specifier))
        .filter((target) => {
          // The index has everything: through it the direction would hold no longer.
          if (target === `${folder}/index.ts`) return true
          const layer = layerOf(folder, target)
          return layer !== undefined && layer !== from && !allowed.includes(layer)
        })
        .map((target) => ({ file: path, message: `${from} must not import ${target}` }))
    }),
  )
}

/** The folder of `folder` that the file is in. */
function layerOf(folder: string, path: string): string | undefined {
  const [first, ...rest] = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/') : []
  return rest.length > 0 ? first : undefined
}
