import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { UPLOAD_NONCE_META, UPLOAD_NONCE_PLACEHOLDER } from '@patchbay/contracts/viewer'
import { beforeAll, expect, test } from 'vitest'
import { sourcesOf } from '../../built-sources.ts'
import { buildApp } from '../build-app.ts'

let folder: string
beforeAll(async () => {
  folder = await buildApp()
}, 120_000)

async function firstScripts(document: string): Promise<string[]> {
  const html = await readFile(join(folder, document), 'utf8')
  return Array.from(html.matchAll(/assets\/[\w.-]+\.js/g), ([path]) => path)
}

test('[W-380] the first load of the viewer is at most 120 kB of compressed JavaScript', async () => {
  const scripts = await firstScripts('viewer.html')
  const sizes = await Promise.all(
    scripts.map(async (path) => gzipSync(await readFile(join(folder, path))).length),
  )
  expect(scripts.length).toBeGreaterThan(1)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(120_000)
})

test('[W-380] no code of the viewer is part of the first load of other pages', async () => {
  const scripts = [...(await firstScripts('index.html')), ...(await firstScripts('workspace.html'))]
  expect(scripts.length).toBeGreaterThan(3)
  const sources = await sourcesOf(folder, scripts)
  expect(sources.some((source) => source.endsWith('src/main.tsx'))).toBe(true)
  expect(sources.filter((source) => source.includes('src/viewer/'))).toEqual([])
})

test('[W-380] the document has no inline script or style, and one place for the nonce', async () => {
  const html = await readFile(join(folder, 'viewer.html'), 'utf8')
  const scripts = html.match(/<script\b[^>]*>[^<]*/g) ?? []
  expect(scripts).toHaveLength(2)
  for (const script of scripts) expect(script).toMatch(/ src="\/[^"]+">$/)
  expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:/)
  expect(html.split(UPLOAD_NONCE_PLACEHOLDER)).toHaveLength(2)
  expect(html).toContain(`<meta name="${UPLOAD_NONCE_META}" content="${UPLOAD_NONCE_PLACEHOLDER}"`)
})
