import { createMetrics, type Metrics, observeGauge } from '@patchbay/kernel/metrics'
import type { PoolState } from '@patchbay/kernel/postgres'

/** What an operator watches beside requests: a pool whose callers wait is the first sign of a slow database. */
export function serverMetrics(database: { poolState(): PoolState }): Metrics {
  const metrics = createMetrics('server')
  observeGauge(metrics, {
    name: 'patchbay_database_connections',
    help: 'Connections to PostgreSQL by state, and callers that wait for one',
    label: 'state',
    read: () => ({ ...database.poolState() }),
  })
  return metrics
}
