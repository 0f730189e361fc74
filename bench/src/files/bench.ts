import { barPlot, panel } from '../plot.ts'
import {
  atLeast,
  atMost,
  type Bench,
  judge,
  median,
  medianOf,
  milliseconds,
  missedGoals,
  named,
  ratioOf,
  type Series,
  series,
  spreadOf,
  strongRatio,
  table,
  thousands,
  verdictOf,
} from '../report.ts'
import { COPIES, type Figures, measureFiles, type SERVING, type Sizes } from './measure.ts'

const GOALS = { clone: atMost(3), pullMs: atMost(1_000), serving: atLeast(0.6) }

type Serving = Series<(typeof SERVING)[number]>

/** What files of a workspace cost against bare PostgreSQL and disk, and a clone against rsync. */
export const files: Bench<Sizes, Figures> = {
  full: { files: 10_000, bytes: 1024 ** 3, copies: 3, rounds: 5, seconds: 4 },
  smoke: { files: 200, bytes: 4 * 1024 ** 2, copies: 1, rounds: 1, seconds: 1 },

  measure: measureFiles,

  report({ tree, pushMs, copies, pullMs, serving }) {
    const copy = series('whole tree', copies, (ms) => ms, milliseconds(0), GOALS.clone)
    const list = series(
      'pages of 200 files per second',
      serving,
      (served) => served.list.perSecond,
      thousands,
      GOALS.serving,
    )
    const read = series(
      'files of 4 KiB per second',
      serving,
      (served) => served.read.perSecond,
      thousands,
      GOALS.serving,
    )
    const pull = median(pullMs)
    const verdict = (row: Serving) => judge(row.ratio('server', 'with key'), GOALS.serving)
    return {
      parts: {
        tree: `${thousands(tree.files)} files, ${thousands(tree.bytes / 1024 ** 2)} MiB`,
        copies: table(
          [copy],
          [
            ['', named],
            ['rsync', medianOf('rsync')],
            ['`patchbay files clone`', medianOf('clone')],
            ['clone / rsync', strongRatio('clone', 'rsync')],
            ['in single rounds', spreadOf('clone', 'rsync')],
            ['goal', verdictOf('rsync', 'clone')],
          ],
        ),
        pull: `**${pull.toFixed(0)} ms**`,
        'pull-goal': judge(pull, GOALS.pullMs),
        push: `${(pushMs / 1000).toFixed(1)} s`,
        serving: table<Serving>(
          [list, read],
          [
            ['', named],
            ['`pg` + `fs`', medianOf('bare')],
            ['with the key asked for', medianOf('with key')],
            ['server', medianOf('server')],
            ['server / bare', ratioOf('server', 'bare')],
            ['server / with key', strongRatio('server', 'with key')],
            ['in single rounds', spreadOf('server', 'with key')],
            ['goal', verdict],
          ],
        ),
        missed: missedGoals([
          ['clone', copy.ratio('clone', 'rsync'), GOALS.clone],
          ['pull without changes (ms)', pull, GOALS.pullMs],
          ['listing', list.ratio('server', 'with key'), GOALS.serving],
          ['reading', read.ratio('server', 'with key'), GOALS.serving],
        ]),
      },
      plots: {
        'files-copies.svg': barPlot(
          'A tree from the server to an empty folder',
          ['rsync over loopback', 'patchbay files clone'],
          [panel('Whole tree', copy, COPIES, ['rsync', 'rsync'])],
        ),
      },
    }
  },
}
