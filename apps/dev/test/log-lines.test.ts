import { setImmediate as heardAll } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { holdLines } from '../src/log-lines.ts'

test('[DEV-9] a line is written when all that came with it was heard, at the end at once, and not if Ctrl-C was among it', async () => {
  const written: string[] = []
  const lines = holdLines((line) => written.push(line))
  lines.write('first')
  lines.write('second')
  expect(written).toEqual([])
  await heardAll()
  expect(written).toEqual(['first', 'second'])

  lines.write('a connection was lost')
  lines.drop()
  await heardAll()
  lines.write('last')
  lines.flush()
  expect(written).toEqual(['first', 'second', 'last'])
  await heardAll()
  expect(written).toHaveLength(3)
})
