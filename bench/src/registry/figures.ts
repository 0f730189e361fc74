import type { ArchiveServingResult, ArchiveSizes } from './archive-serving.ts'
import type { DownloadRounds, DownloadSizes } from './download.ts'
import type { ScaleResult, ScaleSizes } from './scale.ts'
import type { ValidationResult, ValidationSizes } from './validation.ts'

/** Everything that one run has measured. */
export interface RegistryFigures {
  readonly validation: ValidationResult
  readonly download: DownloadRounds
  readonly archives: ArchiveServingResult
  readonly scale: ScaleResult
  readonly sizes: RegistrySizes
}

export interface RegistrySizes {
  readonly validation: ValidationSizes
  readonly download: DownloadSizes
  readonly archives: ArchiveSizes
  readonly scale: ScaleSizes
}

export const GOALS = {
  validation: 0.8,
  serving: 0.6,
  unchanged: 0.4,
  download: 0.6,
  archives: 0.4,
  archivesOfVerdaccio: 2,
}
