import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { verifyRepository } from '../../src/repository/index.ts'
import { holdCeremony, NOW } from './signing-keys.ts'
import { openWorkshop } from './workshop.ts'

test('[A-338] an index that a build without keys has changed is signed by the next one with keys', async () => {
  await using shop = await openWorkshop()
  const { trust } = holdCeremony()
  const now = () => NOW
  await shop.addFolder('com.example.a')
  await shop.build({ trust, now })
  await shop.addFolder('com.example.b')
  await shop.build({ now, timestamp: 1_700_000_001 })
  const signed = await shop.build({ trust, now, timestamp: 1_700_000_001 })
  expect(signed.written).toEqual(['tuf/2.targets.json', 'tuf/2.snapshot.json', 'tuf/timestamp.json'])
  expect((await verifyRepository(shop.out, { now })).findings).toEqual([])
  expect((await shop.build({ trust, now })).written).toEqual([])
})

deepTest.each(['timestamp.json', '2.snapshot.json', '2.targets.json'])(
  '[A-338] a build that was killed before it wrote %s is finished by the next one',
  async (missing) => {
    await using shop = await openWorkshop()
    const { trust } = holdCeremony()
    const now = () => NOW
    await shop.addFolder('com.example.a')
    await shop.build({ trust, now })
    const before = await readFile(join(shop.out, 'tuf/timestamp.json'))
    await shop.addFolder('com.example.b')
    await shop.build({ trust, now, timestamp: 1_700_000_001 })
    // They are written in this order, and the one that was missing is the first that is not there.
    const order = ['2.targets.json', '2.snapshot.json']
    for (const name of order.slice(order.includes(missing) ? order.indexOf(missing) : 2))
      await rm(join(shop.out, 'tuf', name))
    await writeFile(join(shop.out, 'tuf/timestamp.json'), before)
    await shop.build({ trust, now })
    expect((await verifyRepository(shop.out, { now })).findings).toEqual([])
  },
)
