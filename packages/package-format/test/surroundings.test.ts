import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bundleForBrowser } from '@patchbay/testkit/browser-bundle'
import { openPage, sharedChromium } from '@patchbay/testkit/chromium'
import { expect, test } from 'vitest'
import type * as browserEntry from './browser-entry.ts'
import { examplePackage, exampleVersion } from './examples.ts'

/** What an entry and everything that it imports asks for from elsewhere. Imports of types vanish, and do not count. */
function packagesBehind(entry: URL, seen = new Set<string>()): string[] {
  if (seen.has(entry.href)) return []
  seen.add(entry.href)
  const text = readFileSync(entry, 'utf8')
  const specifiers = [
    ...text.matchAll(/^(?:import|export)\s(?!type\b)[^'"]*?from '([^']+)'|\bimport\('([^']+)'\)/gms),
  ]
  return specifiers.flatMap(([, fromStatement, fromCall]) => {
    const specifier = fromStatement ?? fromCall ?? ''
    return specifier.startsWith('.') ? packagesBehind(new URL(specifier, entry), seen) : [specifier]
  })
}

const entry = (path: string) => new URL(`../src/${path}`, import.meta.url)

test('[A-190] the root entry imports no library and no Node built-in', () => {
  const seen = new Set<string>()
  expect(packagesBehind(entry('index.ts'), seen)).toEqual([])
  expect(seen.size).toBeGreaterThan(10)
})

test('[A-190] the walk sees libraries where there are some', () => {
  expect(new Set(packagesBehind(entry('validate/index.ts')))).toEqual(
    new Set(['@patchbay/primitives/text', 'ajv', 'fastest-levenshtein', 'jsonc-parser', 'typebox']),
  )
  expect(packagesBehind(entry('keep-on-update.ts'))).toEqual(['re2js'])
})

test('[A-190] the bundle of the root entry is small', async () => {
  const { code, builtins } = await bundleForBrowser(entry('index.ts'))
  expect(builtins).toEqual([])
  expect(code.length).toBeLessThan(10_000)
  expect(code).not.toMatch(/new Function|\beval\(/)
})

declare const format: typeof browserEntry

test('[A-191] both entries run in Chromium', async () => {
  const { code, builtins } = await bundleForBrowser(new URL('./browser-entry.ts', import.meta.url), {
    globalName: 'format',
  })
  expect(builtins).toEqual([])
  await using server = createServer((_, response) => response.end('<!doctype html>')).listen(0, '127.0.0.1')
  await using opened = await openPage(await sharedChromium())
  // Hashing is there only for pages that a server on this machine, or TLS, delivered.
  await opened.page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await opened.page.addScriptTag({ content: code })
  const text = JSON.stringify(examplePackage({ license: 'Apache 2.0', versions: [exampleVersion()] }))
  const answer = await opened.page.evaluate(async (document) => {
    const { packages } = format.validateText(document)
    return {
      message: packages[0]?.findings[0]?.message,
      order: format.compareVersions({ version: '1.9' }, { version: '1.10' }),
      link: format.linkOf('javascript:alert(1)') ?? null,
      hash: (await format.diagnoseHash(new TextEncoder().encode('a\n'), '')).diagnosis,
    }
  }, text)
  expect(answer).toEqual({
    message: '"Apache 2.0" is not on the list of licenses: write "Apache-2.0"',
    order: -1,
    link: null,
    hash: 'mismatch',
  })
})
