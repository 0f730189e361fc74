import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as real from '@patchbay/contracts'
import { deepTest } from '@patchbay/testkit/depth'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { webConfig } from '../vite.config.ts'
import { buildApp, sourcesOf } from './build-app.ts'

const CONTRACTS = fileURLToPath(new URL('../../../packages/contracts/src/index.ts', import.meta.url))

/** The contracts as they are in the bundle. */
async function bundledContracts(): Promise<Record<string, unknown>> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-bundle-'))
  try {
    const { resolve = {} } = webConfig({ serverUrl: 'http://127.0.0.1:1' })
    await build({
      configFile: false,
      resolve,
      logLevel: 'error',
      build: {
        outDir: folder,
        minify: false,
        lib: { entry: CONTRACTS, formats: ['es'], fileName: 'contracts' },
      },
    })
    return (await import(pathToFileURL(join(folder, 'contracts.js')).href)) as Record<string, unknown>
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function isEndpoint(value: unknown): value is real.EndpointSpec {
  return typeof value === 'object' && value !== null && 'responses' in value && 'path' in value
}

/** What a call needs of an endpoint: where it goes, and how it reads each answer. */
function essence(spec: real.EndpointSpec) {
  return {
    method: spec.method,
    path: spec.path,
    upload: spec.upload,
    answers: Object.entries(spec.responses).map(([status, response]) => ({
      status,
      kind: response === null ? 'nothing' : real.isMediaResponse(response) ? 'text' : 'json',
    })),
  }
}

function textRule(schema: unknown) {
  const { pattern, maxLength } = schema as { pattern?: string; maxLength?: number }
  return { pattern, maxLength }
}

test('[W-231] the built app holds no schema library', async () => {
  const folder = await buildApp()
  const scripts = (await readdir(join(folder, 'assets'))).filter((name) => name.endsWith('.js'))
  const all = await sourcesOf(
    folder,
    scripts.map((name) => `assets/${name}`),
  )
  expect(all.filter((source) => /node_modules\/(?:typebox|ajv|re2js)\//.test(source))).toEqual([])
  expect(all.some((source) => source.endsWith('schema-words.ts'))).toBe(true)
})

deepTest('[W-231] every endpoint keeps its method, path and statuses, and every text its rule', async () => {
  const bundled = await bundledContracts()
  const endpoints = Object.entries(real).filter(([, value]) => isEndpoint(value))
  expect(endpoints.length).toBeGreaterThan(50)
  const kept = endpoints.map(([name]) => [name, essence(bundled[name] as real.EndpointSpec)])
  expect(kept).toEqual(endpoints.map(([name, value]) => [name, essence(value as real.EndpointSpec)]))
  expect(textRule(bundled['handle'])).toEqual(textRule(real.handle))
  expect(textRule(bundled['scope'])).toEqual(textRule(real.scope))
})
