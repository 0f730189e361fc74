import { builtinModules } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build, type Rolldown } from 'vite'
import { expect, test } from 'vitest'

/** Bundles an entry for the browser; lists the Node built-ins that any module in it asks for, and its code. */
async function bundle(entry: string): Promise<{ readonly builtins: string[]; readonly code: string }> {
  const found = new Set<string>()
  const reportBuiltins = {
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
    plugins: [reportBuiltins],
    build: {
      write: false,
      minify: true,
      lib: {
        entry: fileURLToPath(new URL(entry, import.meta.url)),
        formats: ['es'],
        fileName: 'bundle',
      },
    },
  })) as Rolldown.RolldownOutput[]
  return { builtins: [...found], code: output[0]?.output[0]?.code ?? '' }
}

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
