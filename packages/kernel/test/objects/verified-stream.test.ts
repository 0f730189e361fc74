import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { verified } from '../../src/objects/verified-stream.ts'
import { collect, patterned, sha256Of } from './bytes.ts'

deepTest(
  '[K-636] the time of a source begins when the reader wants more, not when its last byte came',
  async () => {
    const [one, two, three] = [patterned(1000), patterned(1001), patterned(1002)]
    const whole = Buffer.concat([one, two, three])
    const source = new PassThrough()
    const stream = verified(source, { sha256: sha256Of(whole), stallMs: 800 })
    source.write(one)
    source.write(two)
    await sleep(600)
    const reading = collect(stream)
    await sleep(400)
    source.end(three)
    expect(whole.equals(await reading)).toBe(true)
  },
)

test('[K-636] a source that is asked and yields nothing fails its reader', async () => {
  const source = new PassThrough()
  const stream = verified(source, { sha256: sha256Of(patterned(10)), stallMs: 100 })
  source.write(patterned(5))
  await expect(collect(stream)).rejects.toMatchObject({ code: 'objects_unavailable' })
  expect(source.destroyed).toBe(true)
})
