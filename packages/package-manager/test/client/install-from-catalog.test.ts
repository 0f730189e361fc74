import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { installSourceOf, openCatalog, openManager, openRepository } from '../../src/index.ts'
import { serveRepository } from '../../src/repository/index.ts'
import { openWorkshop } from '../repository/workshop.ts'
import { failureOf, publish, readAll, samplePackage, sampleVersion, startBench } from './sample.ts'

test('[A-347] what was built and served is found in the catalog and installed', async () => {
  await using shop = await openWorkshop()
  await shop.addFolder('com.example.blinky')
  await shop.addFolder('com.example.changed')
  await shop.build()
  await using served = await serveRepository(shop.out, { port: 0 })
  const client = openRepository({ url: served.url }, { cacheFolder: join(shop.root, 'cache') })
  const catalog = await openCatalog([client]).refresh()
  const root = join(shop.root, '3rdparty')
  const manager = await openManager({
    root,
    stateFolder: join(root, '.patchbay'),
    target: { toolVersion: '9.0', platform: 'linux' },
    source: installSourceOf(catalog),
  })
  await manager.install('com.example.blinky')
  expect(await readFile(join(root, 'plugins/com_example_blinky/main.py'), 'utf8')).toBe('blink()\n')
  const path = join(shop.out, 'archives/com.example.changed-1.0.0.zip')
  const bytes = await readFile(path)
  bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1)
  await writeFile(path, bytes)
  expect((await failureOf(manager.install('com.example.changed'))).message).toMatch(/SHA-256/)
  expect((await manager.list()).map(({ identifier }) => identifier)).toEqual(['com.example.blinky'])
})

test('[A-347] an archive without a hash comes only where that is allowed', async () => {
  await using bench = await startBench()
  bench.server.serve('/a.zip', 'archive')
  const version = sampleVersion({ download_url: `${bench.server.origin}/a.zip` })
  publish(bench.server, [samplePackage('com.example.a', { versions: [version] })])
  const source = installSourceOf(await openCatalog([bench.open()]).refresh())
  const offer = await source.find('com.example.a')
  expect(offer?.origin).toBe(`${bench.server.origin}/repository.json`)
  await expect(offer?.open(version, {})).rejects.toMatchObject({ code: 'no_hash' })
  const opened = await offer?.open(version, { allowUnverified: true })
  expect(String(await readAll(opened?.stream ?? Readable.from([])))).toBe('archive')
})
