import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bundleForBrowser } from '@patchbay/testkit/browser-bundle'
import { openPage, sharedChromium } from '@patchbay/testkit/chromium'
import { expect, test } from 'vitest'
import type * as kicadEntry from '../src/index.ts'
import { SHEET_9, uuid } from './samples.ts'

declare const kicad: typeof kicadEntry

test('[KF-70] it runs in Chromium under a policy that forbids eval', async () => {
  const { code, builtins } = await bundleForBrowser(new URL('../src/index.ts', import.meta.url), {
    globalName: 'kicad',
  })
  expect(builtins).toEqual([])
  await using server = createServer((request, response) => {
    response.setHeader('content-security-policy', "default-src 'self'")
    if (request.url === '/kicad.js') return response.setHeader('content-type', 'text/javascript').end(code)
    return response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><script src="/kicad.js"></script>')
  }).listen(0, '127.0.0.1')
  await using opened = await openPage(await sharedChromium())
  await opened.page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const answer = await opened.page.evaluate(
    ({ text, id }) => {
      const document = kicad.parse(new TextEncoder().encode(text))
      const change = { type: 'setText', id, text: 'moved "µ"' } as const
      const after = kicad.applyChange(document, change).document ?? document
      const nets = kicad.netsOf(kicad.readDesign(new Map([['a', after]]), 'a'))
      return {
        isSame: kicad.write(document) === text,
        after: kicad.write(after),
        net: kicad.netOfPin(nets, 'R1', '2')?.name,
      }
    },
    { text: SHEET_9, id: uuid(30) },
  )
  expect(answer).toEqual({
    isSame: true,
    after: SHEET_9.replace('"OUT"\n\t\t(at', '"moved \\"µ\\""\n\t\t(at'),
    net: 'GND',
  })
})
