import { expect, test } from 'vitest'
import { installSourceOf, openCatalog } from '../../src/index.ts'
import { startFaultServer } from './fault-server.ts'
import { publish, samplePackage, startBench } from './sample.ts'

async function startTwo() {
  const bench = await startBench()
  const second = await startFaultServer()
  const urls = [`${bench.server.origin}/repository.json`, `${second.origin}/repository.json`] as const
  return {
    first: bench.server,
    second,
    urls,
    clients: () => urls.map((url) => bench.open({ url })),
    async [Symbol.asyncDispose]() {
      await second[Symbol.asyncDispose]()
      await bench[Symbol.asyncDispose]()
    },
  }
}

test('[A-326] an identifier in two repositories belongs to the first, and the second is reported', async () => {
  await using two = await startTwo()
  publish(two.first, [samplePackage('com.example.internal', { name: 'ours' })])
  publish(two.second, [
    samplePackage('com.example.internal', { name: 'theirs' }),
    samplePackage('com.example.more'),
  ])
  const catalog = await openCatalog(two.clients()).refresh()
  expect(catalog.entries.map((entry) => entry.package.name)).toEqual(['ours', 'com.example.more'])
  expect(catalog.shared).toEqual([
    { identifier: 'com.example.internal', chosen: two.urls[0], passedOver: [two.urls[1]] },
  ])
  expect(catalog.find('com.example.internal').package.name).toBe('ours')
  expect(() => catalog.find('com.example.nothing')).toThrow(expect.objectContaining({ code: 'not_listed' }))
})

test('[A-326] an identifier that differs in case alone is the same one', async () => {
  await using two = await startTwo()
  publish(two.first, [samplePackage('com.example.internal', { name: 'ours' })])
  publish(two.second, [samplePackage('Com.Example.Internal', { name: 'theirs' })])
  const catalog = await openCatalog(two.clients()).refresh()
  expect(catalog.find('COM.example.internal').package.name).toBe('ours')
  expect(catalog.shared).toHaveLength(1)
})

test('[A-326] another repository is taken when somebody asks for it by name', async () => {
  await using two = await startTwo()
  publish(two.first, [samplePackage('com.example.internal', { name: 'ours' })])
  publish(two.second, [samplePackage('com.example.internal', { name: 'theirs' })])
  const prefer = new Map([['com.example.internal', two.urls[1]]])
  const catalog = await openCatalog(two.clients(), { prefer }).refresh()
  expect(catalog.find('com.example.internal').package.name).toBe('theirs')
  expect(catalog.shared).toMatchObject([{ chosen: two.urls[1], passedOver: [two.urls[0]] }])
})

test('[A-327] a package that is broken or delisted in the first repository does not come from the second', async () => {
  await using two = await startTwo()
  publish(two.first, [
    samplePackage('com.example.broken', { license: 'MTI' }),
    samplePackage('com.example.delisted', { versions: [] }),
  ])
  publish(two.second, [samplePackage('com.example.broken'), samplePackage('com.example.delisted')])
  const catalog = await openCatalog(two.clients()).refresh()
  expect(() => catalog.find('com.example.broken')).toThrow(
    expect.objectContaining({ code: 'package_broken' }),
  )
  await expect(installSourceOf(catalog).find('com.example.broken')).rejects.toThrow(/broken/)
  expect(await installSourceOf(catalog).find('com.example.nothing')).toBeUndefined()
  expect(catalog.find('com.example.delisted').package.versions).toEqual([])
  expect(catalog.entries).toHaveLength(1)
})

test('[A-327] while a repository that comes first is silent, nothing is taken from the others', async () => {
  await using two = await startTwo()
  two.first.handlers.set('/repository.json', (request) => void request.socket.destroy())
  publish(two.second, [samplePackage('com.example.internal', { name: 'theirs' })])
  const catalog = await openCatalog(two.clients()).refresh()
  expect(catalog.unanswered).toMatchObject([{ url: two.urls[0], failure: { code: 'unreachable' } }])
  expect(catalog.entries).toHaveLength(1)
  expect(() => catalog.find('com.example.internal')).toThrow(
    expect.objectContaining({ code: 'repository_unanswered' }),
  )
  const prefer = new Map([['com.example.internal', two.urls[1]]])
  const asked = await openCatalog(two.clients(), { prefer }).refresh()
  expect(asked.find('com.example.internal').package.name).toBe('theirs')
})

test('[A-327] a repository that refuses goes on claiming what it had, and nothing of that is installed', async () => {
  await using two = await startTwo()
  publish(two.first, [samplePackage('com.example.internal', { name: 'ours' })])
  publish(two.second, [samplePackage('com.example.internal', { name: 'theirs' }), samplePackage('com.b')])
  await openCatalog(two.clients()).refresh()
  two.first.handlers.set('/repository.json', (_request, response) => void response.writeHead(403).end())
  const catalog = await openCatalog(two.clients()).refresh()
  expect(catalog.entries.map((entry) => entry.package.name)).toEqual(['ours', 'com.b'])
  expect(catalog.snapshots[0]).toMatchObject({ fromCache: true, failure: { code: 'unauthorized' } })
  expect(() => catalog.find('com.example.internal')).toThrow(
    expect.objectContaining({ code: 'unauthorized' }),
  )
  expect(catalog.find('com.b').package.name).toBe('com.b')
})

test('[A-327] a repository that cannot be reached is installed from as it was', async () => {
  await using two = await startTwo()
  publish(two.first, [samplePackage('com.example.internal', { name: 'ours' })])
  publish(two.second, [samplePackage('com.example.internal', { name: 'theirs' })])
  await openCatalog(two.clients()).refresh()
  two.first.handlers.set('/repository.json', (request) => void request.socket.destroy())
  const catalog = await openCatalog(two.clients()).refresh()
  expect(catalog.find('com.example.internal').package.name).toBe('ours')
})

test('[A-326] where a repository is named, no other one answers: not while it is silent, not when it has nothing', async () => {
  await using two = await startTwo()
  const prefer = new Map([['com.example.internal', two.urls[1]]])
  publish(two.first, [samplePackage('com.example.internal', { name: 'not asked for' })])
  two.second.handlers.set('/repository.json', (request) => void request.socket.destroy())
  const silent = await openCatalog(two.clients(), { prefer }).refresh()
  expect(() => silent.find('Com.Example.Internal')).toThrow(
    expect.objectContaining({ code: 'repository_unanswered', url: two.urls[1] }),
  )
  publish(two.second, [samplePackage('com.example.other')])
  const without = await openCatalog(two.clients(), { prefer }).refresh()
  expect(() => without.find('com.example.internal')).toThrow(expect.objectContaining({ code: 'not_listed' }))
  expect(without.entries.map((entry) => entry.package.name)).toEqual(['com.example.other'])
  expect(without.shared).toMatchObject([{ chosen: two.urls[1], passedOver: [two.urls[0]] }])
  const unknown = new Map([['com.example.internal', 'https://unknown.example/repository.json']])
  const nowhere = await openCatalog(two.clients(), { prefer: unknown }).refresh()
  expect(() => nowhere.find('com.example.internal')).toThrow(expect.objectContaining({ code: 'not_listed' }))
})
