import { bundleForBrowser } from '@patchbay/testkit/browser-bundle'
import { expect, test } from 'vitest'

const bundle = (path: string) => bundleForBrowser(new URL(path, import.meta.url))

test('[CL-50] the bundle for the browser names no Node built-in and brings no schema library', async () => {
  const { builtins, code } = await bundle('../src/index.ts')
  expect(builtins).toEqual([])
  expect(code).toContain('/auth/intents')
  expect(code).not.toMatch(/additionalProperties|process\.env/)
  expect(code.length).toBeLessThan(25_000)
})

test('[CL-50] the check sees a built-in when there is one', async () => {
  expect((await bundle('../src/credentials/index.ts')).builtins).toContain('node:fs')
})
