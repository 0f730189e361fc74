import {
  atMost,
  type Bench,
  type Goal,
  judge,
  median,
  milliseconds,
  named,
  series,
  spread,
  spreadOf,
  strongRatio,
  table,
  verdictOf,
} from '../report.ts'
import { type JobFigures, measureJobs } from './jobs.ts'
import { measurePictures, type PictureFigures } from './pictures.ts'

interface Sizes {
  /** Of each board. */
  readonly pictures: number
  /** Of each job. */
  readonly rounds: number
}

interface Figures {
  readonly pictures: readonly PictureFigures[]
  readonly jobs: readonly JobFigures[]
}

const GOALS = {
  coldMs: atMost(3_000),
  keptMs: atMost(300),
  new: atMost(1.2),
  againMs: atMost(50),
} satisfies Record<string, Goal>

/** The first picture of a board in a browser, and what KiCad costs through the service against KiCad by hand. */
export const boards: Bench<Sizes, Figures> = {
  full: { pictures: 7, rounds: 9 },
  smoke: { pictures: 1, rounds: 1 },

  async measure({ pictures, rounds }) {
    console.log('First pictures in Chromium …')
    const drawn = await measurePictures(pictures)
    console.log('Jobs: by hand and through the service in turns …')
    return { pictures: drawn, jobs: await measureJobs(rounds) }
  },

  report({ pictures, jobs }) {
    const ms = milliseconds(0)
    const drawn = pictures.map(({ name, bytes, rounds }) => ({
      name: `${name}, ${(bytes / 1e6).toFixed(1)} MB`,
      cold: rounds.map(({ coldMs }) => coldMs),
      kept: rounds.map(({ keptMs }) => keptMs),
    }))
    const rows = jobs.map(({ name, rounds }) => {
      const again = median(rounds.map(({ service }) => service.againMs))
      return { ...series(name, rounds, ({ newMs }) => newMs, ms, GOALS.new), again }
    })
    return {
      parts: {
        pictures: table(drawn, [
          ['', named],
          ['never seen', ({ cold }) => ms(median(cold))],
          ['in single rounds', ({ cold }) => spread(cold, ms)],
          ['goal', ({ cold }) => judge(median(cold), GOALS.coldMs)],
          ['opened again', ({ kept }) => ms(median(kept))],
          ['in single rounds', ({ kept }) => spread(kept, ms)],
          ['goal', ({ kept }) => judge(median(kept), GOALS.keptMs)],
        ]),
        jobs: table(rows, [
          ['', named],
          ['by hand', (row) => row.show(row.median('hand'))],
          ['through the service', (row) => row.show(row.median('service'))],
          ['service / hand', strongRatio('service', 'hand')],
          ['in single rounds', spreadOf('service', 'hand')],
          ['goal', verdictOf('hand', 'service')],
          ['asked again', (row) => row.show(row.again)],
          ['goal of that', (row) => judge(row.again, GOALS.againMs)],
        ]),
      },
    }
  },
}
