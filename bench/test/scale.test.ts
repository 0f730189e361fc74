import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { fillDocument } from '../src/report.ts'
import { OPERATIONS } from '../src/scale/costs.ts'
import { scaleParts } from '../src/scale/document.ts'
import { estimate } from '../src/scale/estimate.ts'

const DOCUMENT = new URL('../../docs/scale/people.md', import.meta.url)

test('[BN-70] the document of what people need has the figures that follow from the costs', async () => {
  const text = await readFile(DOCUMENT, 'utf8')
  expect(text, 'run `pnpm scale`').toBe(fillDocument(text, scaleParts()))
})

test('[BN-71] ten times as many people cause ten times as much, and every operation counts', () => {
  const [few, many] = [estimate(1_000), estimate(10_000)]
  for (const [index, { perSecond }] of few.rates.entries())
    expect(many.rates[index]?.perSecond).toBeCloseTo(perSecond * 10, 6)
  for (const [spender, cores] of Object.entries(few.cores))
    expect(many.cores[spender as keyof typeof few.cores]).toBeCloseTo(cores * 10, 6)
  expect(few.processes).toMatchObject({ node: expect.any(Number), gateway: 1 })
  expect(few.cores.node).toBeCloseTo(
    OPERATIONS.reduce(
      (sum, { perDay, cost }) => sum + (1_000 * perDay * 3.3 * (cost.node ?? 0)) / 86_400 / 1e6,
      0,
    ),
    6,
  )
})

test('[BN-72] a derived figure is of a bench that has its document', () => {
  const unfounded = OPERATIONS.filter(({ source, from }) => {
    const [, link] = /\]\(([^)]+)\)/.exec(from) ?? []
    return link === undefined ? source === 'derived' : !existsSync(new URL(link, DOCUMENT))
  })
  expect(unfounded).toEqual([])
})
