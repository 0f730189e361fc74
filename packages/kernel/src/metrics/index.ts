export {
  createMetrics,
  type Metrics,
  type ObservedGauge,
  observeGauge,
  type Tally,
  tally,
} from './metrics.ts'
