import { bundleForBrowser } from '@patchbay/testkit/browser-bundle'
import { expect, test } from 'vitest'

const bundle = (path: string) => bundleForBrowser(new URL(path, import.meta.url))

test('[CT-8] the bundle for the browser names no Node built-in', async () => {
  const { code, builtins } = await bundle('../src/index.ts')
  expect(code).toContain('urn:patchbay:problem:')
  expect(builtins).toEqual([])
})

test('[CT-8] the check sees a built-in when there is one', async () => {
  expect((await bundle('./planted-builtin.ts')).builtins).toEqual(['node:fs'])
})
