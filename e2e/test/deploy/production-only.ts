import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin, registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Which the command line may do without, and an image brings along. */
const IN_IMAGES = ['@patchbay/server', '@patchbay/gateway-app']

interface Manifest {
  readonly name?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

// Loaded before a program: what an installation without development dependencies would not find is not found here either.
// Installed packages are left alone: pnpm gives them what they depend on and nothing else.
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context
    const isOurs = parentURL?.startsWith('file:') === true && !parentURL.includes('/node_modules/')
    if (isOurs && !isAvailable(specifier, fileURLToPath(parentURL)))
      // As Node says it: the command line goes on without a process that is not installed.
      throw Object.assign(
        new Error(`Cannot find package '${nameIn(specifier)}' imported from ${parentURL}`),
        {
          code: 'ERR_MODULE_NOT_FOUND',
        },
      )
    return next(specifier, context)
  },
})

function isAvailable(specifier: string, importer: string): boolean {
  if (/^(?:\.|\/|#|file:|data:)/.test(specifier) || isBuiltin(specifier)) return true
  const packageName = nameIn(specifier)
  const { name, dependencies = {} } = manifestOf(dirname(importer))
  return packageName === name || packageName in dependencies || IN_IMAGES.includes(packageName)
}

function nameIn(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ''
}

const manifests = new Map<string, Manifest>()

function manifestOf(folder: string): Manifest {
  const known = manifests.get(folder)
  if (known !== undefined) return known
  const file = join(folder, 'package.json')
  const found: Manifest = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : manifestOf(dirname(folder))
  manifests.set(folder, found)
  return found
}
