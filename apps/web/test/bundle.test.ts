import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { CONTENT_ENDPOINTS } from '@patchbay/contracts/content'
import { type EndpointSpec, handle, isMediaResponse } from '@patchbay/contracts/core'
import { IDENTITY_ENDPOINTS, scope } from '@patchbay/contracts/identity'
import { PANELS_ENDPOINTS } from '@patchbay/contracts/panels'
import { REGISTRY_ENDPOINTS } from '@patchbay/contracts/registry'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { build } from 'vite'
import { expect } from 'vitest'
import { sourcesOf } from '../built-sources.ts'
import { webConfig } from '../vite.config.ts'
import { buildApp } from './build-app.ts'

const CONTRACTS = Object.fromEntries(
  ['content', 'core', 'identity', 'panels', 'registry'].map((area) => [
    area,
    fileURLToPath(new URL(`../../../packages/contracts/src/${area}/index.ts`, import.meta.url)),
  ]),
)

/** What the contracts export, as it is in the bundle. */
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
        lib: { entry: CONTRACTS, formats: ['es'], fileName: (_, name) => `${name}.js` },
      },
    })
    const modules = (await readdir(folder)).filter((name) => name.endsWith('.js'))
    const exported = modules.map((name) => import(pathToFileURL(join(folder, name)).href) as Promise<object>)
    return Object.assign({}, ...(await Promise.all(exported))) as Record<string, unknown>
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What a call needs of an endpoint: where it goes, and how it reads each answer. */
function essence(spec: EndpointSpec) {
  return {
    method: spec.method,
    path: spec.path,
    upload: spec.upload,
    answers: Object.entries(spec.responses).map(([status, response]) => ({
      status,
      kind: response === null ? 'nothing' : isMediaResponse(response) ? 'text' : 'json',
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
  const real = { CONTENT_ENDPOINTS, IDENTITY_ENDPOINTS, PANELS_ENDPOINTS, REGISTRY_ENDPOINTS }
  for (const [name, endpoints] of Object.entries(real)) {
    expect(endpoints.length).toBeGreaterThan(10)
    expect((bundled[name] as readonly EndpointSpec[]).map(essence)).toEqual(endpoints.map(essence))
  }
  expect(textRule(bundled['handle'])).toEqual(textRule(handle))
  expect(textRule(bundled['scope'])).toEqual(textRule(scope))
})
