import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What is built of each kind of pages: its folder inside an installed process, and where a checkout builds it. */
const BUILT = {
  'web app': { installed: '../web/', checkout: '../../web/dist/client/' },
  documentation: { installed: '../docs/', checkout: '../../docs/dist/site/' },
}

/** Where the built pages are: beside the code of an installed package, or where a checkout builds them. */
export function builtFolder(what: keyof typeof BUILT, moduleUrl: string): string {
  const [installed, built] = [BUILT[what].installed, BUILT[what].checkout].map((path) =>
    fileURLToPath(new URL(path, moduleUrl)),
  ) as [string, string]
  return existsSync(installed) ? installed : built
}
