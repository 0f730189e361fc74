import type { NamedBy } from '@patchbay/contracts/viewer'
import { type Metrics, observeGauge, tally } from '@patchbay/kernel/metrics'

export type UploadOutcome = 'saved' | 'refused' | 'failed'
export type NamingOutcome = Exclude<NamedBy, 'person'> | 'none'

export interface ViewerCounts {
  readonly upload: (outcome: UploadOutcome) => void
  readonly naming: (outcome: NamingOutcome) => void
}

export function viewerMetrics(metrics: Metrics, pages: () => number): ViewerCounts {
  observeGauge(metrics, {
    name: 'patchbay_viewer_pages',
    help: 'Pages of the viewer that are open.',
    label: 'state',
    read: () => ({ open: pages() }),
  })
  return {
    upload: tally<UploadOutcome>(metrics, {
      name: 'patchbay_viewer_uploads_total',
      help: 'Pictures that were sent, by what became of them.',
      label: 'outcome',
      values: ['saved', 'refused', 'failed'],
    }),
    naming: tally<NamingOutcome>(metrics, {
      name: 'patchbay_viewer_names_total',
      help: 'Searches for names that ended, by who found one.',
      label: 'by',
      values: ['model', 'title', 'text', 'picture', 'none'],
    }),
  }
}
