import { collectDefaultMetrics, Registry } from 'prom-client'

export type Metrics = Registry

/** A registry of its own per process: two servers in one test must not count into each other. */
export function createMetrics(process: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ process })
  collectDefaultMetrics({ register: registry })
  return registry
}
