import { expect, test } from 'vitest'
import { barPlot, linePlot } from '../src/plot.ts'

const widthsOf = (svg: string, height: number) =>
  [...svg.matchAll(/<rect [^>]*width="([\d.]+)" height="(\d+)"/g)]
    .filter(([, , tall]) => Number(tall) === height)
    .map(([, width]) => Number(width))

test('[BN-5] bars are as long as their figures, which are written beside them', () => {
  const svg = barPlot(
    'Rate <of> things',
    ['bare', 'ours'],
    [
      {
        title: 'per second',
        values: [200, 100],
        show: (value) => `${value}/s`,
        goal: { value: 170, text: 'goal: 0.85 × bare' },
      },
    ],
  )
  const [bare = 0, ours = 0] = widthsOf(svg, 18)
  expect(ours).toBeGreaterThan(0)
  expect(bare / ours).toBeCloseTo(2, 2)
  expect(svg).toContain('>200/s<')
  expect(svg).toContain('>100/s<')
  expect(svg).toContain('Rate &lt;of>')
  const goalAt = Number(/<line x1="([\d.]+)"[^>]*dasharray/.exec(svg)?.[1])
  expect(goalAt / bare).toBeCloseTo(0.85, 2)
  expect(svg).toContain('goal: 0.85 × bare')
})

test('[BN-5] a cost that does not grow is a level line, and one that grows rises', () => {
  const svg = linePlot({
    title: 'Cost',
    xTitle: 'pending',
    yTitle: 'µs',
    lines: [
      {
        name: 'level',
        color: 0,
        points: [
          [1_000, 50],
          [100_000, 50],
        ],
      },
      {
        name: 'rising',
        color: 1,
        points: [
          [1_000, 50],
          [100_000, 100],
        ],
      },
    ],
  })
  const heights = [...svg.matchAll(/<polyline points="([^"]+)"/g)].map(([, points = '']) =>
    points.split(' ').map((point) => Number(point.split(',')[1])),
  )
  const [level = [], rising = []] = heights
  expect(level[0]).toBe(level[1])
  expect(rising[1]).toBeLessThan(rising[0] ?? 0)
  expect(svg).toContain('>100,000<')
})
