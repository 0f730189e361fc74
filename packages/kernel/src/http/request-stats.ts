import type { Metric } from 'prom-client'
import type { Metrics } from '../metrics/index.ts'

const NAME = 'patchbay_http_request_duration_seconds'
const BUCKETS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Series {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly counts: number[]
  sum: number
  count: number
}

export type Recorder = (method: string, status: number, seconds: number) => void

/**
 * Durations by method, route pattern and status, counted in plain arrays and handed over when somebody looks:
 * hashing a set of labels for every request would cost more than the rest of the factory together.
 */
export class RequestStats {
  readonly #series: Series[] = []

  /** Counts for one route, so that a request need not be looked up by its route's text. */
  recorder(route: string): Recorder {
    const byMethod = new Map<string, Map<number, Series>>()
    return (method, status, seconds) => {
      const series = byMethod.get(method)?.get(status) ?? this.#open(byMethod, method, route, status)
      series.sum += seconds
      series.count += 1
      const bucket = bucketOf(seconds)
      if (bucket < BUCKETS_SECONDS.length) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
    }
  }

  #open(byMethod: Map<string, Map<number, Series>>, method: string, route: string, status: number): Series {
    const series: Series = { method, route, status, counts: BUCKETS_SECONDS.map(() => 0), sum: 0, count: 0 }
    const byStatus = byMethod.get(method) ?? new Map<number, Series>()
    byMethod.set(method, byStatus.set(status, series))
    this.#series.push(series)
    return series
  }

  /** Makes the durations part of a registry's scrapes. */
  exposeTo(metrics: Metrics): void {
    const description = {
      name: NAME,
      help: 'Time from the arrival of a request until its answer is ready',
      type: 'histogram',
      aggregator: 'sum',
    }
    // The registry asks a metric for nothing but its name and its values.
    metrics.registerMetric({
      ...description,
      get: async () => ({ ...description, values: this.#series.flatMap(valuesOf) }),
    } as unknown as Metric)
  }
}

function bucketOf(seconds: number): number {
  let bucket = 0
  while (bucket < BUCKETS_SECONDS.length && seconds > (BUCKETS_SECONDS[bucket] ?? 0)) bucket += 1
  return bucket
}

function valuesOf({ method, route, status, counts, sum, count }: Series): object[] {
  const labels = { method, route, status }
  let cumulative = 0
  const buckets = BUCKETS_SECONDS.map((le, index) => {
    cumulative += counts[index] ?? 0
    return { metricName: `${NAME}_bucket`, labels: { ...labels, le }, value: cumulative }
  })
  return [
    ...buckets,
    { metricName: `${NAME}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
    { metricName: `${NAME}_sum`, labels, value: sum },
    { metricName: `${NAME}_count`, labels, value: count },
  ]
}
