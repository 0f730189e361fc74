import { bundleForBrowser } from '@patchbay/testkit/browser-bundle'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'

const bundle = (path: string) => bundleForBrowser(new URL(path, import.meta.url))

deepTest.each(['core', 'gateway', 'identity', 'panels', 'registry', 'viewer'])(
  '[CT-8] the bundle of %s for the browser names no Node built-in',
  async (area) => {
    const { code, builtins } = await bundle(`../src/${area}/index.ts`)
    expect(code).toContain('ENDPOINTS')
    expect(builtins).toEqual([])
  },
)

test('[CT-15] limits come without the schema library', async () => {
  const { code } = await bundle('../src/core/limits.ts')
  expect(code).toContain('sessionLifetimeSeconds')
  expect(code.length).toBeLessThan(4096)
})

test('[CT-8] the check sees a built-in when there is one', async () => {
  expect((await bundle('./planted-builtin.ts')).builtins).toEqual(['node:fs'])
})
