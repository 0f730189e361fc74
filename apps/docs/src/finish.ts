import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'
import { BASE } from './prepare.ts'

const INLINE_SCRIPT =
  /<script(?![^>]*\bsrc=)(?![^>]*type="(?:application\/(?:ld\+)?json|text\/template)")([^>]*)>([\s\S]*?)<\/script>/g

/** Moves what scripts the generator writes into its pages to files: our policy runs none that stand inside a page. */
export async function finish(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const scripts = new Map<string, string>()
  for (const entry of entries) {
    if (!entry.isFile() || !entry.name.endsWith('.html')) continue
    const path = join(entry.parentPath, entry.name)
    const page = await readFile(path, 'utf8')
    const moved = page.replaceAll(INLINE_SCRIPT, (_all, attributes: string, script: string) => {
      const name = `${createHash('sha256').update(script).digest('hex').slice(0, 16)}.js`
      scripts.set(name, script)
      return `<script${attributes} src="${BASE}/_scripts/${name}"></script>`
    })
    // Code can be scrolled without a mouse.
    const reachable = moved.replaceAll('<pre data-language=', '<pre tabindex="0" data-language=')
    if (reachable !== page) await writeFile(path, reachable)
  }
  await mkdir(join(folder, '_scripts'), { recursive: true })
  for (const [name, script] of scripts) await writeFile(join(folder, '_scripts', name), script)
  await compress(folder)
}

const PACKED = /\.(?:html|css|js|svg|json)$/
/** Below this a file fits into one packet as it is. */
const WORTH_COMPRESSING_BYTES = 1_024
const BROTLI = { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } }

/** Lays brotli and gzip beside what gets smaller: the server sends what the browser takes. */
async function compress(folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!PACKED.test(name)) continue
    const bytes = await readFile(join(folder, name))
    if (bytes.length < WORTH_COMPRESSING_BYTES) continue
    await writeFile(join(folder, `${name}.br`), brotliCompressSync(bytes, BROTLI))
    await writeFile(join(folder, `${name}.gz`), gzipSync(bytes))
  }
}
