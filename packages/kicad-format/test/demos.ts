import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isDeep } from '@patchbay/testkit/depth'

/** Of the Debian package `kicad-demos`. */
export const DEMOS = '/usr/share/kicad/demos'

/** One board of KiCad 9 has 70 MB. */
const LARGEST = isDeep ? Number.POSITIVE_INFINITY : 200_000

export interface DemoFile {
  readonly path: string
  readonly text: string
}

/** Files of KiCad's demonstration projects, the smaller ones in the common run; none where they are not installed. */
export function listDemos(extensions: string): string[] {
  return globSync(join(DEMOS, `**/*.kicad_${extensions}`))
    .filter((path) => statSync(path).size <= LARGEST)
    .toSorted()
}

export function readText(path: string): string {
  return readFileSync(path, 'utf8')
}

export const hasDemos = globSync(join(DEMOS, '*')).length > 0
