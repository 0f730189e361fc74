import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type LiveProgress, serveRepository, verifyLive } from '../../src/repository/index.ts'
import { type FaultServer, startFaultServer } from '../client/fault-server.ts'
import { FAST, failureOf, publish, samplePackage, sampleVersion, sha256 } from '../client/sample.ts'
import { openWorkshop } from './workshop.ts'

/** A repository that was built for the server that serves it. */
async function startLive() {
  const shop = await openWorkshop()
  await shop.build()
  const served = await serveRepository(shop.out, { port: 0 })
  await rm(join(shop.out, 'repository.json'))
  for (const identifier of ['com.example.a', 'com.example.b', 'com.example.c'])
    await shop.addFolder(identifier)
  await shop.build({ baseUrl: new URL('.', served.url).href })
  return {
    shop,
    url: served.url,
    archive: (name: string) => join(shop.out, `archives/com.example.${name}-1.0.0.zip`),
    verify: (options = {}) => verifyLive(served.url, { limits: FAST, ...options }),
    async [Symbol.asyncDispose]() {
      await served.close()
      await shop[Symbol.asyncDispose]()
    },
  }
}

test('[A-340] every address of a published repository is asked for, and its status, hash and size written down', async () => {
  await using live = await startLive()
  const report = await live.verify()
  expect(report).toMatchObject({
    isSound: true,
    findings: [],
    name: 'Workshop',
    packages: 3,
    versions: 3,
    checked: 10,
  })
  expect(report.checks.map(({ kind }) => kind)).toEqual([
    'repository',
    'packages',
    'resources',
    'manifests',
    ...Array(3).fill('archive'),
    ...Array(3).fill('manifest'),
  ])
  expect(new Set(report.checks.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(report.checks.map(({ answersNotModified }) => answersNotModified))).toEqual(new Set([true]))
  const bytes = await readFile(live.archive('a'))
  expect(
    report.checks.find(({ subject, kind }) => kind === 'archive' && subject === 'com.example.a 1.0.0'),
  ).toMatchObject({
    bytes: bytes.length,
    sha256: sha256(bytes),
    contentType: 'application/zip',
  })
})

test('[A-341] a missing archive, a changed byte and a wrong size are found, each by its name', async () => {
  await using live = await startLive()
  await rm(live.archive('a'))
  const bytes = await readFile(live.archive('b'))
  bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1)
  await writeFile(live.archive('b'), bytes)
  await writeFile(live.archive('c'), 'short')
  const report = await live.verify()
  expect(report.isSound).toBe(false)
  expect(report.findings.map(({ code, subject }) => `${subject} ${code}`).toSorted()).toEqual([
    'com.example.a 1.0.0 not_found',
    'com.example.b 1.0.0 hash_mismatch',
    'com.example.c 1.0.0 size_mismatch',
  ])
  expect(report.summary).toContain('not sound: 3 packages')
  expect(report.checks).toHaveLength(10)
})

test('[A-341] an answer that breaks off once is no finding', async () => {
  await using server = await startFaultServer()
  const url = publishArchives(server, 1)
  const good = server.handlers.get('/0.zip')
  server.handlers.set('/0.zip', (_request, response) => {
    response.writeHead(200, { 'content-length': 9 }).write('arch')
    setTimeout(() => response.destroy(), 20)
    if (good !== undefined) server.handlers.set('/0.zip', good)
  })
  expect((await verifyLive(url, { limits: FAST })).findings).toEqual([])
})

test('[A-341] a list that does not fit its hash is reported, and what it names is checked all the same', async () => {
  await using live = await startLive()
  const path = join(live.shop.out, 'packages.json')
  await writeFile(path, (await readFile(path, 'utf8')).replaceAll('\n', '\r\n'))
  const report = await live.verify()
  expect(report.findings).toMatchObject([{ code: 'hash_mismatch', subject: 'packages' }])
  expect(report.findings[0]?.message).toContain('line ends are LF')
  expect(report.checked).toBe(10)
})

test('[A-341] an index that cannot be read ends the run with a report, not with an error', async () => {
  await using server = await startFaultServer()
  const url = `${server.origin}/repository.json`
  const options = { limits: FAST }
  expect(await verifyLive(url, options)).toMatchObject({ isSound: false, findings: [{ code: 'not_found' }] })
  server.serve('/repository.json', '<html>')
  expect(await verifyLive(url, options)).toMatchObject({ isSound: false, checked: 1 })
  publish(server, [samplePackage('com.example.a', { license: 'MTI' }), samplePackage('com.example.b')])
  const report = await verifyLive(url, options)
  expect(report.findings.map(({ code }) => code)).toEqual(['package_invalid', 'no_download'])
})

function publishArchives(server: FaultServer, count: number): string {
  const versions = Array.from({ length: count }, (_, index) => {
    server.serve(`/${index}.zip`, `archive ${index}`)
    const download_sha256 = sha256(`archive ${index}`)
    const download_size = Buffer.byteLength(`archive ${index}`)
    return sampleVersion({
      version: `1.${index}`,
      download_url: `${server.origin}/${index}.zip`,
      download_sha256,
      download_size,
    })
  })
  return publish(server, [samplePackage('com.example.a', { versions })])
}

test('[A-342] no more addresses are asked for at once than allowed', async () => {
  await using server = await startFaultServer()
  const url = publishArchives(server, 12)
  let [open, most] = [0, 0]
  for (let index = 0; index < 12; index += 1) {
    server.handlers.set(`/${index}.zip`, async (_request, response) => {
      most = Math.max(most, ++open)
      await sleep(20)
      open -= 1
      response.end(`archive ${index}`)
    })
  }
  const report = await verifyLive(url, { concurrency: 3, limits: FAST })
  expect(report.isSound).toBe(true)
  expect(most).toBe(3)
})

test('[A-342] progress counts addresses and bytes up to the announced total', async () => {
  await using server = await startFaultServer()
  const url = publishArchives(server, 4)
  const seen: LiveProgress[] = []
  const report = await verifyLive(url, { limits: FAST, onProgress: (progress) => void seen.push(progress) })
  expect(seen.at(-1)).toEqual({ done: 6, total: 6, bytes: report.bytes, totalBytes: 4 * 9 })
  expect(seen.map(({ bytes }) => bytes)).toEqual(seen.map(({ bytes }) => bytes).toSorted((a, b) => a - b))
})

test('[A-342] a server that hangs costs its deadline, and an abort ends the run', async () => {
  await using server = await startFaultServer()
  const url = publishArchives(server, 2)
  server.handlers.set('/0.zip', (_request, response) => void response.writeHead(200).write('arch'))
  const limits = { ...FAST, idleMs: 100, attempts: 1 }
  const report = await verifyLive(url, { limits })
  expect(report.findings).toMatchObject([{ code: 'timeout', subject: 'com.example.a 1.0' }])
  const controller = new AbortController()
  const call = verifyLive(url, {
    signal: controller.signal,
    onProgress: ({ done }) => void (done === 2 && controller.abort(new Error('enough'))),
  })
  expect((await failureOf(call)).message).toBe('enough')
})

test('[A-343] servers that make every refresh expensive are told apart', async () => {
  await using server = await startFaultServer()
  const url = publishArchives(server, 1)
  const list = JSON.stringify({ packages: [] })
  server.handlers.set('/packages.json', (_request, response) => {
    response.writeHead(200, { etag: '"always-new"', 'content-type': 'application/x-strange' }).end(list)
  })
  server.serve(
    '/moved.json',
    JSON.stringify({
      name: 'Slow',
      packages: { url: `${server.origin}/packages.json`, update_timestamp: 1 },
    }),
    { etag: '', 'content-type': 'text/plain' },
  )
  server.handlers.set('/repository.json', (_request, response) => {
    response.writeHead(302, { location: '/moved.json' }).end()
  })
  const report = await verifyLive(url, { limits: FAST })
  expect(report.isSound).toBe(true)
  expect(report.findings.map(({ code, subject }) => `${subject} ${code}`)).toEqual([
    'repository redirected',
    'repository no_validator',
    'packages no_hash',
    'packages content_type',
    'packages not_modified_unsupported',
  ])
})

test('[A-343] pages that packages point to are listed as not checked, and looked at when asked', async () => {
  await using server = await startFaultServer()
  server.serve('/home', '<html>', { 'content-type': 'text/html' })
  const author = { name: 'Ada', contact: { web: `${server.origin}/home` } }
  const resources = { Gone: `${server.origin}/gone`, Bad: 'javascript:alert(1)' }
  const url = publish(server, [samplePackage('com.example.a', { author, resources, versions: [] })])
  const report = await verifyLive(url, { limits: FAST })
  expect(report.notChecked).toEqual([`${server.origin}/gone`, `${server.origin}/home`])
  expect(server.seen('/home')).toEqual([])
  const checked = await verifyLive(url, { limits: FAST, checkLinks: true, apiKey: 'pbk_secret' })
  expect(checked.findings).toMatchObject([
    { code: 'link_broken', severity: 'warning', subject: `${server.origin}/gone` },
  ])
  expect(server.seen('/home').map(({ headers }) => headers['x-api-key'])).toEqual([undefined])
  expect(server.seen('/packages.json').at(-1)?.headers['x-api-key']).toBe('pbk_secret')
})
