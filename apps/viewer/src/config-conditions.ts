import type { Fault } from '@patchbay/kernel/config'
import type { Secret } from '@patchbay/kernel/log'

interface NamingSettings {
  readonly naming: 'text' | 'model' | 'off'
  readonly modelProvider: 'anthropic' | 'openai'
  readonly model: string | undefined
  readonly modelUrl: string | undefined
  readonly modelKey: Secret | undefined
}

/** A model that cannot be asked, or that is configured and would never be asked, is a mistake to be told at the start. */
export function namingFaults({ naming, model, modelUrl, modelKey }: NamingSettings): Fault[] {
  if (naming !== 'model') {
    if (model === undefined) return []
    return [
      {
        variable: 'PATCHBAY_VIEWER_MODEL',
        wrong: `is set, but names are not asked of a model: PATCHBAY_VIEWER_NAMING is \`${naming}\``,
      },
    ]
  }
  const faults: Fault[] = []
  if (model === undefined)
    faults.push({
      variable: 'PATCHBAY_VIEWER_MODEL',
      wrong: 'is not set, but names are to be asked of a model',
    })
  if (modelKey === undefined && modelUrl === undefined)
    faults.push({
      variable: 'PATCHBAY_VIEWER_MODEL_KEY',
      wrong: 'is not set; only a model at an address of its own (PATCHBAY_VIEWER_MODEL_URL) may need none',
    })
  return faults
}
