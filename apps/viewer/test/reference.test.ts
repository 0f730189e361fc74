import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { viewerMessageReference, viewerOpenApi } from '../src/index.ts'
import { startTestViewer } from './start.ts'

const committed = (name: string) =>
  readFile(new URL(`../../../docs/reference/${name}`, import.meta.url), 'utf8')

test('[VA-11] the description of the interface is that of a running viewer, and the committed one', async () => {
  await using viewer = await startTestViewer()
  const live = await viewer.json<object>('/openapi.json')
  expect(JSON.parse(viewerOpenApi())).toEqual(live)
  expect(JSON.parse(await committed('viewer-openapi.json'))).toEqual(live)
})

test('[VA-11] the committed description of the messages is the generated one', async () => {
  expect(await committed('viewer-messages.md')).toBe(`${viewerMessageReference().trimEnd()}\n`)
})
