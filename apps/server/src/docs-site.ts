import { existsSync, globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DOCS_CSP, DOCS_PATH, Problem } from '@patchbay/contracts/core'
import { type HttpApp, PAGE_HEADERS, READ, sendBuiltFile } from '@patchbay/kernel/http'

const IMMUTABLE = 'public, max-age=31536000, immutable'
const HEADERS = { ...PAGE_HEADERS, 'content-security-policy': DOCS_CSP }
/** Brotli and gzip are other forms of the file that they lie beside. */
const NO_ADDRESS = ['**/*.br', '**/*.gz']

/** Serves the built documentation: pages by their folders, everything else by its name. */
export function registerDocs(app: HttpApp, root: string): void {
  // The files that are there, by address: no address becomes a path.
  const files = new Map<string, string>()
  if (existsSync(root))
    for (const name of globSync('**/*.*', { cwd: root, exclude: NO_ADDRESS })) {
      const address = basename(name) === 'index.html' ? name.slice(0, -'index.html'.length) : name
      files.set(`${DOCS_PATH}${address}`, name)
    }
  app.route({
    method: READ,
    url: DOCS_PATH.slice(0, -1),
    handler: async (_request, reply) => reply.redirect(DOCS_PATH, 308),
  })
  app.route({
    method: READ,
    url: `${DOCS_PATH}*`,
    handler: async (request, reply) => {
      const address = request.url.split('?')[0] ?? ''
      const name = files.get(address)
      if (name === undefined && files.has(`${address}/`)) return reply.redirect(`${address}/`, 308)
      if (name === undefined) throw new Problem('not_found')
      const isNamedByContent = name.startsWith('_astro/') || name.startsWith('_scripts/')
      return sendBuiltFile(
        reply.headers(HEADERS),
        join(root, name),
        isNamedByContent ? IMMUTABLE : 'no-cache',
      )
    },
  })
}
