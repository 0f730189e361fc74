import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SOURCES = fileURLToPath(new URL('../src/', import.meta.url))
const AREAS = ['identity', 'packages', 'viewer', 'workspace']
const IMPORT = /from '(\.[^']+)'/g

/** The area that a file belongs to, by its folder. */
function areaOf(file: string): string {
  return relative(SOURCES, file).split('/')[0] ?? ''
}

test('[W-239] no area imports from the folder of another', async () => {
  let count = 0
  const crossings: string[] = []
  for (const area of AREAS) {
    const folder = join(SOURCES, area)
    for (const name of await readdir(folder, { recursive: true })) {
      if (!/\.tsx?$/.test(name)) continue
      const file = join(folder, name)
      for (const [, path = ''] of (await readFile(file, 'utf8')).matchAll(IMPORT)) {
        count += 1
        const imported = areaOf(resolve(dirname(file), path))
        if (AREAS.includes(imported) && imported !== area) crossings.push(`${area}/${name} → ${path}`)
      }
    }
  }
  expect(count).toBeGreaterThan(100)
  expect(crossings).toEqual([])
})
