import { createRequire } from 'node:module'

// Not an import: of JSON, Node 20 says on every start that it is an experiment.
const manifest = createRequire(import.meta.url)('../package.json') as { readonly version: string }

export const VERSION = manifest.version
