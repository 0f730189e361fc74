import type { BuiltIn } from './built-in.ts'

export const DEVELOPMENT: readonly BuiltIn[] = [
  {
    uuid: '9e3d4c56-4c32-4f9e-9e9d-9d1c93abfc7f',
    kind: 'code-editor',
    name: 'Code editor',
    description: 'Edits a text with highlighting.',
    icon: 'file-code',
    availability: 'ready',
  },
  {
    uuid: '7ee068d7-e4db-4f94-be9d-7b4ba7dbf346',
    kind: 'schematic-editor',
    name: 'Schematic editor',
    description: 'Draws the circuit of a board.',
    icon: 'circuit-board',
    singleton: true,
  },
  {
    uuid: '087fd86b-ead3-430d-89dd-b46a9eb6257d',
    kind: 'script-runner',
    name: 'Script runner',
    description: 'Runs JavaScript and shows what it prints.',
    icon: 'square-play',
    availability: 'ready',
  },
]
