import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bundleForBrowser } from '@patchbay/testkit/browser-bundle'
import { openPage, sharedChromium } from '@patchbay/testkit/chromium'
import { expect, test } from 'vitest'
import type * as layoutEntry from '../src/index.ts'
import { draw, id, tab } from './drawing.ts'

declare const layouts: typeof layoutEntry

test('[D-29] it runs in Chromium under a policy that forbids eval', async () => {
  const { code, builtins } = await bundleForBrowser(new URL('../src/index.ts', import.meta.url), {
    globalName: 'layouts',
  })
  expect(builtins).toEqual([])
  await using server = createServer((request, response) => {
    response.setHeader('content-security-policy', "default-src 'self'")
    if (request.url === '/layouts.js') return response.setHeader('content-type', 'text/javascript').end(code)
    return response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><script src="/layouts.js"></script>')
  }).listen(0, '127.0.0.1')
  await using opened = await openPage(await sharedChromium())
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
