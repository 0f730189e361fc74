import type { ViewerStatus } from '@patchbay/contracts/viewer'
import { displayText } from '@patchbay/primitives/text'
import type { ViewerConfig } from './config.ts'

/** What whoever started it needs to know. */
export function greeting(
  { url, folder, naming }: Pick<ViewerStatus, 'url' | 'folder' | 'naming'>,
  config: Pick<ViewerConfig, 'model' | 'modelProvider' | 'modelUrl'>,
): string {
  return [
    `The viewer is open at ${url}`,
    // A folder out of an archive can be called anything.
    `  pastes   ${displayText(folder, 4_096)}`,
    `  names    ${NAMERS[naming](config)}`,
    '',
    'Paste screenshots there; agents can ask you for them. Ctrl-C ends it.',
  ].join('\n')
}

const NAMERS = {
  text: () => 'from the title or the text in a picture, read on this machine',
  off: () => 'none: files keep the time of the paste',
  model: ({ model, modelProvider, modelUrl }: Pick<ViewerConfig, 'model' | 'modelProvider' | 'modelUrl'>) =>
    `by ${model}; every picture is sent to ${modelUrl ?? modelProvider}`,
} as const satisfies Record<ViewerStatus['naming'], unknown>
