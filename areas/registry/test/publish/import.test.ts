import { createHash } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOutbound } from '@patchbay/kernel/outbound'
import { expect, test } from 'vitest'
import { archiveOf } from '../archive.ts'
import { codeOf } from '../looking.ts'
import { NO_INDEXER, startRegistry } from '../start.ts'

/** A server of somebody else, on loopback, which this installation is allowed to fetch from. */
async function startSource(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const fetched: string[] = []

const serve: RequestListener = (request, response) => {
  fetched.push(request.url ?? '')
  const path = request.url?.split('?')[0]
  if (path === '/blinky.zip') response.end(archiveOf())
  else if (path === '/large.zip') response.end(archiveOf({ code: '#'.repeat(200_000) }))
  else if (path === '/broken.zip') {
    response.writeHead(200, { 'content-length': '5000' })
    response.write('PK', () => response.destroy())
  } else response.writeHead(path === '/moved.zip' ? 404 : 500).end('<h1>sorry</h1>')
}

async function startImporting() {
  const cleanup = new AsyncDisposableStack()
  const source = cleanup.use(await startSource(serve))
  const outbound = cleanup.use(
    createOutbound({ userAgent: 'patchbay-test', allowedNetworks: ['127.0.0.0/8'] }),
  )
  const node = cleanup.use(
    await startRegistry({ indexer: NO_INDEXER, outbound, settings: { maxArchiveBytes: 100_000 } }),
  )
  const fetchFrom = async (url: string, rest = {}) => {
    const response = await node.as('ada').change('POST', '/registry/owners/ada/imports', { url, ...rest })
    const body = (await response.json()) as Record<string, unknown>
    return { status: response.status, body }
  }
  return { source, node, fetchFrom, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
}

test('[A-20] an archive is fetched, kept and published; the source is kept without its query', async () => {
  await using importing = await startImporting()
  const { source, node, fetchFrom } = importing
  const first = await fetchFrom(`${source.url}/blinky.zip?signature=hunter2`)
  expect(first).toMatchObject({ status: 201, body: { identifier: 'com.example.blinky', owner: 'ada' } })
  expect((await fetchFrom(`${source.url}/blinky.zip`)).status).toBe(200)
  const [version] = await node.db.selectFrom('package_versions').selectAll().execute()
  expect(version?.source_url).toBe(`${source.url}/blinky.zip`)
  const audit = await node.db.selectFrom('registry_audit').select(['action', 'detail']).execute()
  expect(audit).toEqual([
    { action: 'imported', detail: `${version?.archive_sha256} from ${source.url}/blinky.zip` },
  ])
})

test('[A-21] an address that must not be fetched and a server that fails are told apart', async () => {
  await using importing = await startImporting()
  const { source, node, fetchFrom } = importing
  const outcomes: Record<string, unknown> = {}
  for (const url of [
    'file:///etc/passwd',
    'http://10.0.0.1/x.zip',
    'http://ada:secret@127.0.0.1/x.zip',
    `${source.url}/moved.zip`,
    `${source.url}/failing.zip`,
    `${source.url}/broken.zip`,
    `${source.url}/large.zip`,
  ]) {
    const { status, body } = await fetchFrom(url)
    outcomes[url.replace(source.url, '')] = [status, body['code'], body['reason']]
  }
  expect(outcomes).toEqual({
    'file:///etc/passwd': [400, 'source_refused', 'scheme'],
    'http://10.0.0.1/x.zip': [400, 'source_refused', 'address'],
    'http://ada:secret@127.0.0.1/x.zip': [400, 'source_refused', 'credentials'],
    '/moved.zip': [502, 'source_unavailable', undefined],
    '/failing.zip': [502, 'source_unavailable', undefined],
    '/broken.zip': [502, 'source_unavailable', 'interrupted'],
    '/large.zip': [422, 'archive_refused', 'too_large'],
  })
  expect(await node.db.selectFrom('package_versions').select('version').execute()).toEqual([])
  expect(node.lines.join('')).not.toContain('secret')
})

test('[A-22] an archive of another hash than was given is refused', async () => {
  await using importing = await startImporting()
  const { source, fetchFrom } = importing
  const url = `${source.url}/blinky.zip`
  const refused = await fetchFrom(url, { sha256: 'a'.repeat(64) })
  expect(refused).toMatchObject({ status: 422, body: { code: 'archive_refused', reason: 'sha256_mismatch' } })
  const sha256 = createHash('sha256').update(archiveOf()).digest('hex')
  expect((await fetchFrom(url, { sha256 })).status).toBe(201)
})

test('[A-23] an import into a place of somebody else is refused, and nothing is fetched', async () => {
  await using importing = await startImporting()
  const { source, node } = importing
  const url = `${source.url}/blinky.zip`
  fetched.length = 0
  const response = await node.as('bob').change('POST', '/registry/owners/ada/imports', { url })
  expect(fetched).toEqual([])
  expect([response.status, await codeOf(response)]).toEqual([403, 'not_permitted'])
  expect(await node.db.selectFrom('packages').select('identifier').execute()).toEqual([])
})

test('[A-610] an import that is under way ends with its account', async () => {
  await using importing = await startImporting()
  const { node } = importing
  await using source = await startSource((_, response) => {
    node.access.disable('ada')
    response.end(archiveOf())
  })
  expect(await importing.fetchFrom(`${source.url}/blinky.zip`)).toMatchObject({
    body: { code: 'credential_invalid' },
  })
  expect(await node.db.selectFrom('packages').select('identifier').execute()).toEqual([])
})
