import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'

export type Metrics = Registry

/** A registry of its own per process: two servers in one test must not count into each other. */
export function createMetrics(process: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ process })
  collectDefaultMetrics({ register: registry })
  return registry
}

type Awaitable<Value> = Value | Promise<Value>

interface Named {
  readonly name: string
  readonly help: string
}

/** Asked at every scrape: one number, or one for each value of the label. */
export type ObservedGauge = Named &
  (
    | { readonly label: string; readonly read: () => Awaitable<Readonly<Record<string, number>>> }
    | { readonly label?: never; readonly read: () => Awaitable<number> }
  )

/**
 * Shows numbers that somebody else keeps; nothing is counted twice and nothing runs between scrapes. A number that cannot be
 * had is left out and the others are shown: the last one known would look like a good one.
 */
export function observeGauge(metrics: Metrics, { name, help, label, read }: ObservedGauge): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [metrics],
    async collect() {
      let numbers: Readonly<Record<string, number>> | number
      try {
        numbers = await read()
      } catch {
        numbers = {}
      }
      if (label === undefined) {
        if (typeof numbers === 'number') gauge.set(numbers)
        else gauge.remove()
        return
      }
      gauge.reset()
      for (const [key, value] of Object.entries(numbers)) gauge.set({ [label]: key }, value)
    },
  })
}

export interface Tally<Value extends string> {
  readonly name: string
  readonly help: string
  readonly label: string
  /** Every value the label can have, so that each is shown from the start and none can be invented by a client. */
  readonly values: readonly Value[]
}

/** Counts events by one label with a closed set of values: a plain number each, handed over when somebody looks. */
export function tally<Value extends string>(
  metrics: Metrics,
  { name, help, label, values }: Tally<Value>,
): (value: Value) => void {
  const counts = new Map<Value, number>(values.map((value) => [value, 0]))
  const counter = new Counter({
    name,
    help,
    labelNames: [label],
    registers: [metrics],
    collect() {
      counter.reset()
      for (const [value, count] of counts) counter.inc({ [label]: value }, count)
    },
  })
  return (value) => {
    const count = counts.get(value)
    if (count !== undefined) counts.set(value, count + 1)
  }
}
