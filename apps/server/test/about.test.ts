import { readFile } from 'node:fs/promises'
import { call, getAbout } from '@patchbay/contracts/core'
import { expect, test } from 'vitest'
import { serverOpenApi } from '../src/index.ts'
import { migratedDatabase, startTestServer } from './start.ts'

test('[S-3] two nodes on one database are one installation', async () => {
  await using database = await migratedDatabase()
  await using one = await startTestServer({ DATABASE_URL: database.url })
  await using other = await startTestServer({ DATABASE_URL: database.url })
  const answers = await Promise.all(
    [one, other, one, other].map(({ url }) => call(getAbout, {}, { baseUrl: url })),
  )
  expect(new Set(answers.map(({ body }) => body.installation.id)).size).toBe(1)
  expect(answers[0]?.body).toMatchObject({
    name: 'patchbay',
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    node: 'test-1',
    installation: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), created_at: expect.stringMatching(/Z$/) },
  })
})

test('[S-11][CT-17] the document of a running server is the one in docs, and the type of a refusal leads to its page', async () => {
  await using server = await startTestServer()
  const live = await (await server.ask('/openapi.json')).json()
  expect(JSON.parse(serverOpenApi())).toEqual(live)
  const committed = await readFile(new URL('../../../docs/reference/openapi.json', import.meta.url), 'utf8')
  expect(JSON.parse(committed), 'run `pnpm -s patchbay openapi > docs/reference/openapi.json`').toEqual(live)
  // No page of the web app takes its place, whatever a browser asks for.
  const { type } = (await (await server.ask('/api/nothing')).json()) as { type: string }
  const page = await (await server.ask(type, { headers: { accept: 'text/html' } })).text()
  expect(page).toContain('<code>not_found</code>')
})

test('[S-13] metrics show the connections to PostgreSQL by state', async () => {
  await using server = await startTestServer()
  await server.ask('/api/about')
  const text = await (await server.ask('/metrics')).text()
  expect(text).toMatch(/patchbay_database_connections\{state="open",process="server"\} [1-9]/)
  expect(text).toMatch(/patchbay_database_connections\{state="waiting",process="server"\} 0/)
})
