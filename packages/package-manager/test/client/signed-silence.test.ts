import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openCatalog } from '../../src/index.ts'
import { startFaultServer } from './fault-server.ts'
import { failureOf } from './sample.ts'
import { startSigned } from './signed-bench.ts'

test('[A-329] signatures that are gone from the server are no silence that the cache may fill', async () => {
  await using signed = await startSigned()
  await signed.publish()
  await signed.open().refresh()
  await rm(join(signed.shop.out, 'tuf'), { recursive: true })
  expect(await failureOf(signed.open().refresh())).toMatchObject({ code: 'not_found', status: 404 })
})

test.each([
  [403, 'unauthorized'],
  [401, 'unauthorized'],
  [410, 'not_found'],
])('[A-329] a server that answers %d for the signatures is told as %s', async (status, code) => {
  await using signed = await startSigned()
  await signed.publish()
  await signed.open().refresh()
  await using gate = await startFaultServer()
  gate.handlers.set('/timestamp.json', (_request, response) => void response.writeHead(status).end())
  const shut = signed.open({ metadataUrl: `${gate.origin}/`, targetPath: 'repository.json' })
  expect(await failureOf(shut.refresh())).toMatchObject({ code, status })
})

test('[A-329] a server that is busy is passed over only for as long as the cached state was signed', async () => {
  await using signed = await startSigned()
  await signed.publish()
  await signed.open().refresh()
  await using gate = await startFaultServer()
  gate.handlers.set('/timestamp.json', (_request, response) => void response.writeHead(503).end())
  const busy = signed.open({ metadataUrl: `${gate.origin}/`, targetPath: 'repository.json' })
  expect(await busy.refresh()).toMatchObject({ fromCache: true, failure: { code: 'busy' } })
  signed.wait(31)
  expect(await failureOf(busy.refresh())).toMatchObject({ code: 'untrusted', trustReason: 'freeze' })
  expect(await busy.readCached()).toMatchObject({ fromCache: true, failure: { trustReason: 'freeze' } })
})

test('[A-329] what was signed for a time that is over is not used, however long the server is kept away', async () => {
  await using signed = await startSigned()
  await signed.publish()
  await signed.open().refresh()
  await signed.close()
  signed.wait(29)
  expect((await signed.open().refresh()).fromCache).toBe(true)
  signed.wait(1)
  expect(await failureOf(signed.open().refresh())).toMatchObject({ code: 'untrusted', trustReason: 'freeze' })
})

test('[A-329] what was refused by its signatures is not installed from the cache', async () => {
  await using signed = await startSigned()
  await signed.publish()
  await signed.open().refresh()
  signed.wait(31)
  const catalog = await openCatalog([signed.open()]).refresh()
  expect(catalog.entries).toHaveLength(1)
  expect(() => catalog.find('com.example.p1')).toThrow(expect.objectContaining({ trustReason: 'freeze' }))
})

test('[A-329] an index that is published between signatures and index is read with the newer signatures', async () => {
  await using signed = await startSigned()
  await signed.publish()
  let isLate = true
  const late: typeof fetch = async (input, init) => {
    if (isLate && String(input).endsWith('/repository.json')) {
      isLate = false
      await signed.publish()
    }
    return fetch(input, init)
  }
  const snapshot = await signed.open({}, 'cache', { fetch: late }).refresh()
  expect([isLate, snapshot.packages.length]).toEqual([false, 2])
})

test('[A-321] of two signed states the one with the newer signatures counts, whoever wrote last', async () => {
  await using signed = await startSigned()
  await signed.publish()
  await signed.open().refresh()
  const [name = ''] = (await readdir(join(signed.shop.root, 'cache'))).filter((each) => !each.includes('.'))
  const states = join(signed.shop.root, 'cache', name, 'states')
  const [old = ''] = await readdir(states)
  const text = await readFile(join(states, old), 'utf8')
  await signed.publish()
  await signed.open().refresh()
  // A slower process, which had read the older state, writes it now.
  const late = old.replace(/-\d{16}-/, '-0000000000000009-')
  await writeFile(join(states, late), text)
  expect((await signed.open().readCached())?.packages).toHaveLength(2)
})
