import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { leaksIn } from './leaks.ts'

const FOLDER = join('.config', 'patchbay')
const CREDENTIALS = join(FOLDER, 'credentials.json')

/** The session tokens that a machine keeps. */
export async function keptTokens(home: string): Promise<string[]> {
  const text = await readFile(join(home, CREDENTIALS), 'utf8').catch(() => '')
  return text.match(/tok_[\w-]+/g) ?? []
}

/** What is wrong with what a machine keeps: open to others, or a secret that need not lie there. */
export async function faultsOfHome(home: string, secrets: Iterable<string>): Promise<string[]> {
  const faults: string[] = []
  const all = [...secrets]
  for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(home, path)
    const mode = (await stat(path)).mode & 0o777
    if (name.startsWith(FOLDER) && mode !== (entry.isDirectory() ? 0o700 : 0o600)) {
      faults.push(`${name} has the mode ${mode.toString(8)}`)
    }
    if (entry.isDirectory()) continue
    const kept = name === CREDENTIALS ? await keptTokens(home) : []
    const text = kept.reduce((left, token) => left.replaceAll(token, ''), await readFile(path, 'utf8'))
    for (const leak of leaksIn(text, all)) faults.push(`${name} holds ${leak}`)
  }
  return faults
}
