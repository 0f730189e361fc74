import type { VersionStatus } from '@patchbay/package-format'
import { Badge } from '../components/badge.tsx'
import { STATUS_NAMES, STATUS_TONES } from './words.ts'

export function StatusBadge({ status }: { status: VersionStatus }) {
  return <Badge tone={STATUS_TONES[status]}>{STATUS_NAMES[status]}</Badge>
}
