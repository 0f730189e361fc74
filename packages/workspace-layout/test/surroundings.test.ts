import { createServer } from 'node:http'
import { builtinModules } from 'node:module'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { openPage, startChromium } from '@patchbay/testkit/chromium'
import { build, type Rolldown } from 'vite'
import { expect, test } from 'vitest'
import type * as layoutEntry from '../src/index.ts'
import { draw, id, tab } from './drawing.ts'

/** One script for a page, with the library under `globalThis.layouts`; and the Node built-ins that it asks for. */
async function bundle(): Promise<{ readonly code: string; readonly builtins: readonly string[] }> {
  const builtins: string[] = []
  const reportBuiltins = {
    name: 'report-builtins',
    enforce: 'pre' as const,
    resolveId(source: string) {
      if (source.startsWith('node:') || builtinModules.includes(source)) builtins.push(source)
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
        entry: fileURLToPath(new URL('../src/index.ts', import.meta.url)),
        formats: ['iife'],
        name: 'layouts',
        fileName: 'bundle',
      },
    },
  })) as Rolldown.RolldownOutput[]
  return { code: output[0]?.output[0]?.code ?? '', builtins }
}

declare const layouts: typeof layoutEntry

test('[D-29] it runs in Chromium under a policy that forbids eval', async () => {
  const { code, builtins } = await bundle()
  expect(builtins).toEqual([])
  await using server = createServer((request, response) => {
    response.setHeader('content-security-policy', "default-src 'self'")
    if (request.url === '/layouts.js') return response.setHeader('content-type', 'text/javascript').end(code)
    return response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><script src="/layouts.js"></script>')
  }).listen(0, '127.0.0.1')
  await using browser = await startChromium()
  await using opened = await openPage(browser)
  await opened.page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const given = { layout: draw('A[x*]'), tab: tab('new'), newLeafId: id('N'), newSplitId: id('S') }
  const answer = await opened.page.evaluate(({ layout, tab: added, newLeafId, newSplitId }) => {
    const at = { edge: 'left', newLeafId, newSplitId } as const
    const rules = { isSingleton: () => false }
    const outcome = layouts.applyChange(layout, { type: 'addTab', tab: added, at }, rules)
    const replaced = layouts.applyChange(layout, { type: 'replace', layout: outcome.layout ?? layout }, rules)
    return {
      layout: outcome.layout,
      isReplaced: replaced.layout !== undefined,
      faults: layouts.checkLayout({ root: { ...layout.root, id: 'A' } }),
    }
  }, given)
  expect(answer).toEqual({
    layout: draw('S:row(0.5 N[new*], 0.5 A[x*])'),
    isReplaced: true,
    faults: [{ path: '/root/id', message: 'must be a UUID in lower case' }],
  })
})
