import type { Clock } from '@patchbay/kernel/clock'
import type { Log } from '@patchbay/kernel/log'
import {
  createNaming,
  createPictures,
  type Naming,
  type NamingConfig,
  openPasteFolder,
  type PasteFolder,
  type Pictures,
} from '@patchbay/viewer'
import type { ViewerConfig } from './config.ts'
import { newId } from './new-id.ts'

export interface ViewerParts {
  readonly folder: PasteFolder
  readonly naming: Naming
  readonly preparePictures: Pictures
}

interface PartsDeps {
  readonly config: ViewerConfig
  readonly project: string
  readonly log: Log
  readonly clock: Clock
  readonly createNonce: () => string
}

/** What the viewer is made of, as configured. */
export async function openParts({
  config,
  project,
  log,
  clock,
  createNonce,
}: PartsDeps): Promise<ViewerParts> {
  const folder = await openPasteFolder({
    project,
    now: () => clock.now(),
    newId: () => newId(createNonce()),
    log,
  })
  return {
    folder,
    naming: createNaming(namingOf(config), { log }),
    preparePictures: createPictures(),
  }
}

function namingOf({
  naming,
  model,
  modelProvider,
  modelUrl,
  modelKey,
  modelFallback,
}: ViewerConfig): NamingConfig {
  if (naming !== 'model' || model === undefined) return { kind: naming === 'off' ? 'off' : 'text' }
  return {
    kind: 'model',
    provider: modelProvider,
    model,
    baseUrl: modelUrl,
    apiKey: modelKey,
    fallback: modelFallback,
  }
}
