import { resolvePath } from '../../parts/resolve-path.ts'

const ENDINGS = ['.ts', '.tsx', '.d.ts', '.js', '.jsx', '.mjs', '/index.ts', '/index.js']
/** `./x.js` in TypeScript means `x.ts` beside it. */
const COMPILED: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
}

/** The files of the workspace that an import may mean, the likeliest first. None for packages. */
export function importCandidates(from: string, imported: string): string[] {
  if (!/^\.{1,2}\//.test(imported)) return []
  const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/')) : ''
  const path = resolvePath(folder, imported)
  if (path === undefined) return []
  const [ending = ''] = /\.[^./]+$/.exec(path) ?? []
  const compiled = (COMPILED[ending] ?? []).map((other) => path.slice(0, -ending.length) + other)
  const named = ending === '' ? [] : [path]
  return [...compiled, ...named, ...ENDINGS.map((each) => path + each)]
}
