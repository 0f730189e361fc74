import { expect, test } from 'vitest'
import { archiveOf } from '../archive.ts'
import { pathOf, readFeed } from '../feeds/reading.ts'
import { startRegistry } from '../start.ts'
import { askRaw } from './raw-request.ts'

const FEED = '/registry/feeds/kicad/repository.json'

test('[A-470] the first answer and the ones after it are the same', async () => {
  await using node = await startRegistry()
  await node.as('ada').publish(archiveOf())
  await node.registry.indexer.settle(20_000)
  const { repository } = await readFeed(node, FEED)
  for (const path of [FEED, pathOf(repository.packages.url)]) {
    for (const coding of ['br', 'identity']) {
      const seen = new Set<string>()
      const ids = new Set<unknown>()
      let tag = ''
      for (let round = 0; round < 3; round += 1) {
        const { status, headers, body } = await askRaw(node.url + path, { 'accept-encoding': coding })
        const { date: _date, 'x-request-id': id, ...same } = headers
        tag = String(headers['etag'])
        expect([status, headers['content-length']]).toEqual([200, String(body.byteLength)])
        seen.add(JSON.stringify(same))
        ids.add(id)
      }
      expect([path, coding, seen.size, ids.size]).toEqual([path, coding, 1, 3])
      const again = await askRaw(node.url + path, { 'accept-encoding': coding, 'if-none-match': tag })
      expect([again.status, again.headers['content-type']]).toEqual([304, undefined])
    }
  }
})
