import { middle, type Rounds } from '../gateway/turns.ts'
import { barPlot, type Panel } from '../plot/bars.ts'
import { linePlot } from '../plot/lines.ts'
import { GOALS, type RegistryFigures } from './figures.ts'
import { SERVED_TEXTS, SERVING_GOALS } from './tables.ts'

/** File names and pictures. */
export function registryPlots(figures: RegistryFigures): Readonly<Record<string, string>> {
  return {
    'registry-ratios.svg': ratiosPlot(figures),
    'registry-publish.svg': publishPlot(figures),
  }
}

function ratiosPlot({ validation, scale, download }: RegistryFigures): string {
  const count = (value: number) => Math.round(value).toLocaleString('en-US')
  const panel = <Name extends string, Result>(
    title: string,
    rounds: Rounds<Name, Result>,
    order: readonly [Name, Name],
    pick: (result: Result) => number,
    goal: number,
  ): Panel => {
    const values = order.map((name) => middle(rounds, name, pick))
    return {
      title,
      values,
      show: count,
      goal: { value: (values[0] ?? 0) * goal, text: `goal: ${goal} × bare` },
    }
  }
  const served = (['br', 'gzip', 'repository', 'unchanged'] as const).map((name) =>
    panel(
      `${SERVED_TEXTS[name]}: answers per second, nginx and server`,
      scale.serving.rounds[name],
      ['nginx', 'server'],
      ({ perSecond }) => perSecond,
      SERVING_GOALS[name] ?? 0,
    ),
  )
  return barPlot(
    'The registry beside bare engines',
    ['bare engine', 'ours'],
    [
      panel(
        'Packages validated per second, Ajv and ours',
        validation.synthetic,
        ['ajv', 'ours'],
        (value) => value,
        GOALS.validation,
      ),
      ...served,
      panel(
        'MiB per second, openssl hashing a file and the package manager downloading it',
        download,
        ['openssl', 'manager'],
        ({ megabytesPerSecond }) => megabytesPerSecond,
        GOALS.download,
      ),
    ],
  )
}

function publishPlot({ scale }: RegistryFigures): string {
  return linePlot({
    title: 'Publishing one version while others are there',
    xTitle: 'packages, three versions each',
    yTitle: 'ms until the feeds carry it, median',
    series: [
      {
        name: 'not signed',
        colour: 0,
        points: scale.sizes.map((cost) => [cost.packages, cost.unsigned.p50Ms]),
      },
      { name: 'signed', colour: 2, points: scale.sizes.map((cost) => [cost.packages, cost.signed.p50Ms]) },
    ],
  })
}
