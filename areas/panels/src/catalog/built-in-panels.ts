import type { CatalogPanel, PanelCategory } from '@patchbay/contracts/panels'
import type { BuiltIn } from './built-in.ts'
import { CONTROL } from './built-in-control.ts'
import { UTILITY } from './built-in-utility.ts'
import { VISUALIZATION } from './built-in-visualization.ts'

const MEDIA: readonly BuiltIn[] = [
  {
    uuid: 'aa2a1b13-ad48-4e00-9a67-53c48821b4fe',
    kind: 'live-stream',
    name: 'Live stream',
    description: 'Plays a live video.',
    icon: 'cast',
  },
  {
    uuid: 'f7d0e5c2-d77a-4290-8e2c-5894b53c34f7',
    kind: 'webrtc-player',
    name: 'WebRTC player',
    description: 'Plays one stream with little delay.',
    icon: 'video',
  },
  {
    uuid: '87026141-e5f3-4b22-aa61-1db1aa640d61',
    kind: 'zoom-camera',
    name: 'Zoom camera',
    description: 'Shows a camera with two streams, near and far.',
    icon: 'camera',
  },
]

const DEVELOPMENT: readonly BuiltIn[] = [
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

/** Nobody can have this name: it speaks for the installation. */
const OUR_OWNER = 'patchbay'

/** In the order in which people are offered them. */
export const BUILT_IN_PANELS: readonly CatalogPanel[] = [
  ...of('Development', DEVELOPMENT),
  ...of('Control', CONTROL),
  ...of('Visualization', VISUALIZATION),
  ...of('Media', MEDIA),
  ...of('Utility', UTILITY),
]

const BY_ID = new Map(BUILT_IN_PANELS.map((panel) => [panel.id, panel]))
const BY_KIND = new Map(BUILT_IN_PANELS.map((panel) => [panel.kind, panel]))

export function findBuiltIn(id: string): CatalogPanel | undefined {
  return BY_ID.get(id)
}

export function findBuiltInOfKind(kind: string): CatalogPanel | undefined {
  return BY_KIND.get(kind)
}

function of(category: PanelCategory, panels: readonly BuiltIn[]): CatalogPanel[] {
  return panels.map(({ uuid, kind, name, description, icon, singleton, availability }) => ({
    id: `${OUR_OWNER}/${uuid}`,
    kind,
    name,
    description,
    category,
    icon,
    singleton: singleton ?? false,
    availability: availability ?? 'planned',
  }))
}
