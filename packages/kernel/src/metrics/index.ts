export { createMetrics, type Metrics, type ObservedGauge, observeGauge } from './metrics.ts'
