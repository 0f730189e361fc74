import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

export type Metrics = Registry

/** A registry of its own per process: two servers in one test must not count into each other. */
export function createMetrics(process: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ process })
  collectDefaultMetrics({ register: registry })
  return registry
}

export interface ObservedGauge {
  readonly name: string
  readonly help: string
  readonly label: string
  /** Asked at every scrape: one value for each value of the label. */
  readonly read: () => Readonly<Record<string, number>>
}

/** Shows numbers that somebody else keeps; nothing is counted twice and nothing runs between scrapes. */
export function observeGauge(metrics: Metrics, { name, help, label, read }: ObservedGauge): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [metrics],
    collect: () => {
      for (const [key, value] of Object.entries(read())) gauge.set({ [label]: key }, value)
    },
  })
}
