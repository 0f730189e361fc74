import { builtinModules } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'
import { expect, test } from 'vitest'

/** Bundles an entry for the browser and lists the Node built-ins that any module in it asks for. */
async function builtinsIn(entry: string): Promise<string[]> {
  const found = new Set<string>()
  const noBuiltins = {
    name: 'report-builtins',
    enforce: 'pre' as const,
    resolveId(source: string) {
      if (source.startsWith('node:') || builtinModules.includes(source)) found.add(source)
      return null
    },
  }
  const output = (await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [noBuiltins],
    build: { write: false, minify: false, lib: { entry, formats: ['es'], fileName: 'bundle' } },
  })) as Rolldown.RolldownOutput[]
  expect(output[0]?.output[0]?.code).toContain('urn:patchbay:problem:')
  return [...found]
}

test('[CT-8] the bundle for the browser names no Node built-in', async () => {
  expect(await builtinsIn(fileURLToPath(new URL('../src/index.ts', import.meta.url)))).toEqual([])
})

test('[CT-8] the check sees a built-in when there is one', async () => {
  expect(await builtinsIn(fileURLToPath(new URL('./planted-builtin.ts', import.meta.url)))).toEqual([
    'node:fs',
  ])
})
