import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { placeFor } from '../install/places.ts'
import { readSettings } from '../install/settings.ts'
import type { CliSurroundings } from '../terminal/surroundings.ts'

/** What is installed or configured here, for completion: whatever cannot be read is no word. */
export async function knownWords(
  surroundings: CliSurroundings,
  asks: 'installed' | 'sources',
  words: readonly string[],
): Promise<string[]> {
  try {
    const { sources, target } = await readSettings(surroundings)
    const root = words[words.indexOf('--root') + 1]
    const place = placeFor(
      surroundings,
      words.includes('--root') && root !== undefined ? { root } : {},
      target,
    )
    const known =
      asks === 'sources'
        ? sources.map(({ name }) => name)
        : await readInstalled(join(place.root, '.patchbay'))
    return known.filter((word) => word.startsWith(words.at(-1) ?? ''))
  } catch {
    return []
  }
}

async function readInstalled(state: string): Promise<string[]> {
  const { packages } = JSON.parse(await readFile(join(state, 'installed.json'), 'utf8')) as {
    packages?: object
  }
  return Object.keys(packages ?? {})
}
