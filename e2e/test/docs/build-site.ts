import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const DOCS = fileURLToPath(new URL('../../../apps/docs/', import.meta.url))

/** The site as it is shipped: what `pnpm build` has left if its sources are still the same. Answers where it is. */
export async function buildSite(): Promise<string> {
  // As from a shell: the generator would take what the test runner says of its own build for its own.
  const { PATH = '', HOME = '', TMPDIR = '' } = process.env
  await promisify(execFile)(process.execPath, [join(DOCS, 'src/main.ts')], { env: { PATH, HOME, TMPDIR } })
  return join(DOCS, 'dist/site')
}

export interface BuiltPage {
  /** `/docs/guides/upgrade/`. */
  readonly address: string
  readonly html: string
}

export async function readPages(folder: string): Promise<BuiltPage[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('index.html'))
  return await Promise.all(
    names.map(async (name) => ({
      address: `/docs/${name.slice(0, -'index.html'.length)}`,
      html: await readFile(join(folder, name), 'utf8'),
    })),
  )
}
