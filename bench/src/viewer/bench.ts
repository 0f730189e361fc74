import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { middle } from '../gateway/turns.ts'
import { barPlot } from '../plot/bars.ts'
import { measurePastes, type PasteSizes, SIDES } from './pastes.ts'
import { GOALS, type ViewerFigures, viewerReport } from './report.ts'
import { drawScreenshot } from './screenshot.ts'

export const FULL: PasteSizes = { rounds: 9, alone: 3, together: 4 }
export const SMOKE: PasteSizes = { rounds: 1, alone: 1, together: 2 }
const DOCS = new URL('../../../docs/benchmarks/', import.meta.url)

/** What a paste costs against bare sharp, side by side in one run. */
export async function benchViewer(smoke: boolean): Promise<void> {
  const sizes = smoke ? SMOKE : FULL
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-bench-picture-'))
  try {
    const screenshot = await drawScreenshot(folder)
    console.log('Pastes: bare sharp and the viewer in turns …')
    const figures = { screenshot, rounds: await measurePastes(screenshot, sizes), sizes }
    await tell(figures, smoke)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function tell(figures: ViewerFigures, smoke: boolean): Promise<void> {
  const report = viewerReport(figures)
  console.log(`\n${report}`)
  if (smoke) return
  await mkdir(DOCS, { recursive: true })
  await writeFile(new URL('viewer.md', DOCS), report)
  await writeFile(new URL('viewer-paste.svg', DOCS), pastePlot(figures))
  console.log('written to docs/benchmarks/viewer.md')
}

function pastePlot({ rounds, sizes }: ViewerFigures): string {
  const milliseconds = (value: number) => `${value.toFixed(0)} ms`
  const alone = SIDES.map((side) => middle(rounds, side, ({ aloneMs }) => aloneMs))
  return barPlot(
    'From the paste of a 4K screenshot to both files saved',
    ['bare sharp, two encodes', 'paste over HTTP'],
    [
      {
        title: 'One paste',
        values: alone,
        show: milliseconds,
        goal: { value: (alone[0] ?? 0) * GOALS.alone, text: `goal: ${GOALS.alone} × bare` },
      },
      {
        title: `${sizes.together} at once, until the last is saved`,
        values: SIDES.map((side) => middle(rounds, side, ({ togetherMs }) => togetherMs)),
        show: milliseconds,
      },
    ],
  )
}
