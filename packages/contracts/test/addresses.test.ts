import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

test.each(['openapi', 'gateway-openapi', 'watchdog-openapi', 'viewer-openapi'])(
  '[J-95] no address of %s has a version in it',
  async (name) => {
    const file = new URL(`../../../docs/reference/${name}.json`, import.meta.url)
    const { paths } = JSON.parse(await readFile(file, 'utf8')) as { paths: object }
    expect(Object.keys(paths)).not.toEqual([])
    // The number of the package schema is that of its format.
    const versioned = Object.keys(paths).filter((path) => /\/v\d/.test(path) && !path.includes('/schemas/'))
    expect(versioned).toEqual([])
  },
)
