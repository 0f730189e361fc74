import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

/**
 * A program of ours for Node in few files: loading its modules one by one takes a server half of the processor time of its start.
 * Each module still knows its own address, so that what lies beside it is found there, and `external` ones are loaded from
 * where they are.
 */
export async function bundleForNode(entry: string, folder: string, external: RegExp): Promise<void> {
  await using bundle = await rolldown({
    input: { main: entry },
    platform: 'node',
    logLevel: 'silent',
    plugins: [leaveWhereTheyAre(external), keepAddresses],
  })
  await bundle.write({ dir: folder, format: 'esm', sourcemap: true })
}

function leaveWhereTheyAre(external: RegExp): Plugin {
  return {
    name: 'leave-where-they-are',
    async resolveId(source, importer) {
      if (importer === undefined || source.startsWith('.') || source.startsWith('node:')) return null
      const found = await this.resolve(source, importer, { skipSelf: true })
      if (found === null || found.external !== false) return null
      if (!external.test(found.id) && !isCommonJs(found.id)) return null
      return { id: found.id, external: 'absolute' }
    },
  }
}

/** Such a module may ask for others by names that are made up while it runs. */
function isCommonJs(path: string): boolean {
  if (!path.includes('/node_modules/') || path.endsWith('.mjs')) return false
  const manifest = findPackageJSON(pathToFileURL(path))
  if (manifest === undefined) return false
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { type?: string }).type !== 'module'
}

const keepAddresses: Plugin = {
  name: 'keep-addresses',
  transform: {
    filter: { code: 'import.meta' },
    handler(code, id) {
      // The bundler's own ones mean the file that they are in.
      if (id.startsWith('\0')) return null
      return code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
        .replaceAll('import.meta.filename', JSON.stringify(id))
    },
  },
}
