import { bundleForBrowser } from '@patchbay/testkit/browser-bundle'
import { expect, test } from 'vitest'

const bundle = (path: string) => bundleForBrowser(new URL(path, import.meta.url))

test('[CL-50] the bundle for the browser names no Node built-in and brings no schema library', async () => {
  const { builtins, code } = await bundle('../src/index.ts')
  expect(builtins).toEqual([])
  expect(code).toContain('/auth/intents')
  expect(code).not.toMatch(/additionalProperties|process\.env/)
  expect(code.length).toBeLessThan(32_000)
})

test('[CL-50] the check sees a built-in when there is one', async () => {
  expect((await bundle('../src/credentials/index.ts')).builtins).toContain('node:fs')
})

test('[CL-113] the bundle that drives workspaces brings no schema library either, and signing in does not grow by it', async () => {
  const { builtins, code } = await bundle('../src/workspace/index.ts')
  expect(builtins).toEqual([])
  expect(code).toContain('/api/workspaces/editor/')
  expect(code).not.toMatch(/additionalProperties|process\.env/)
  // Of files, documents, devices and boards together.
  expect(code.length).toBeLessThan(50_000)
  expect((await bundle('../src/index.ts')).code).not.toContain('/api/workspaces')
})
