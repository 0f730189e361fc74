import { barPlot, panel } from '../plot.ts'
import { temporaryFolder } from '../processes.ts'
import {
  atMost,
  type Bench,
  judge,
  medianOf,
  milliseconds,
  named,
  type Rounds,
  series,
  spreadOf,
  strongRatio,
  table,
  verdictOf,
} from '../report.ts'
import { measurePastes, type PasteSizes, type PasteTimes, SIDES, type SideName } from './pastes.ts'
import { drawScreenshot } from './screenshot.ts'

interface ViewerFigures {
  /** Of the picture that is pasted. */
  readonly bytes: number
  readonly rounds: Rounds<SideName, PasteTimes>
}

const GOALS = { alone: atMost(1.25), longestBlockMs: atMost(50) }

/** What a paste costs against bare sharp, side by side in one run. */
export const viewer: Bench<PasteSizes, ViewerFigures> = {
  full: { rounds: 9, alone: 3, together: 4 },
  smoke: { rounds: 1, alone: 1, together: 2 },

  async measure(sizes) {
    await using folder = await temporaryFolder()
    const { file, bytes } = await drawScreenshot(folder.path)
    console.log('Pastes: bare sharp and the viewer in turns …')
    return { bytes, rounds: await measurePastes(file, sizes) }
  },

  report({ bytes, rounds }, sizes) {
    const alone = series('one paste', rounds, ({ aloneMs }) => aloneMs, milliseconds(0), GOALS.alone)
    const together = series(
      `${sizes.together} pastes at once`,
      rounds,
      ({ togetherMs }) => togetherMs,
      milliseconds(0),
    )
    const block = Math.max(...rounds.map(({ viewer: ours }) => ours.longestBlockMs))
    return {
      parts: {
        picture: `${(bytes / 1e6).toFixed(1)} MB`,
        pastes: table(
          [alone, together],
          [
            ['', named],
            ['bare sharp', medianOf('bare')],
            ['paste', medianOf('viewer')],
            ['paste / sharp', strongRatio('viewer', 'bare')],
            ['in single rounds', spreadOf('viewer', 'bare')],
            ['goal', verdictOf('bare', 'viewer')],
          ],
        ),
        block: `**${block.toFixed(1)} ms**`,
        'block-goal': judge(block, GOALS.longestBlockMs),
      },
      plots: {
        'viewer-paste.svg': barPlot(
          'From the paste of a 4K screenshot to both files saved',
          ['bare sharp, two encodes', 'paste over HTTP'],
          [
            panel('One paste', alone, SIDES, ['bare', 'bare']),
            panel(`${sizes.together} at once, until the last is saved`, together, SIDES),
          ],
        ),
      },
    }
  },
}
