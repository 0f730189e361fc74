import { createHash } from 'node:crypto'
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

/** A UUID of random bits that come as text: 122 of them are kept. */
function newId(nonce: string): string {
  const hex = createHash('sha256').update(nonce).digest('hex')
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 0b0011) | 0b1000).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
