import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where the built pages are: beside the code of an installed package, or where a checkout builds them. */
export function webAppFolder(moduleUrl: string): string {
  const [installed, built] = ['../web/', '../../web/dist/client/'].map((path) =>
    fileURLToPath(new URL(path, moduleUrl)),
  ) as [string, string]
  return existsSync(installed) ? installed : built
}
