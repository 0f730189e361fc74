import type { BoardLayer } from '@patchbay/kicad-format'
import { Color } from 'three'

/** Layers that no file has. */
export const BODY_LAYER = 'body'
export const COMPONENTS_LAYER = 'components'

export const isInner = (name: string) => /^In\d+\.Cu$/.test(name)

/** What a finished board shows. */
const SHOWN_AT_FIRST = [
  BODY_LAYER,
  COMPONENTS_LAYER,
  'F.Cu',
  'B.Cu',
  'F.Mask',
  'B.Mask',
  'F.SilkS',
  'B.SilkS',
]

export function firstLayers(): string[] {
  return [...SHOWN_AT_FIRST]
}

/** Names that makers of boards understand. */
export const MASK_COLORS: Readonly<Record<string, number>> = {
  green: 0x14613a,
  black: 0x17191d,
  'matte black': 0x1c1e22,
  blue: 0x12408c,
  red: 0x96202a,
  white: 0xe4e4df,
  yellow: 0xb79a1c,
  purple: 0x4c2277,
}
const SILK_COLORS: Readonly<Record<string, number>> = {
  white: 0xf4f4f0,
  black: 0x16181b,
  yellow: 0xf2dc4a,
  red: 0xd8453e,
  blue: 0x3560d6,
  green: 0x3aa35f,
}

export function namedColor(name: string, known: Readonly<Record<string, number>>): Color | undefined {
  const plain = name.trim().toLowerCase()
  if (Object.hasOwn(known, plain)) return new Color(known[plain])
  return /^#[0-9a-f]{6}(?:[0-9a-f]{2})?$/.test(plain) ? new Color(plain.slice(0, 7)) : undefined
}

const COLORS: Readonly<Record<string, number>> = {
  Cu: 0xc08040,
  Mask: 0xd9b560,
  Paste: 0xb9bec6,
  Fab: 0x9aa7b8,
  CrtYd: 0xe45bd0,
}
const INNER = [0xc9a227, 0x3fa7d6, 0x59cd90, 0xee6352, 0x9b72cf, 0xfac05e, 0x3f88c5, 0x8ac926]
const OTHER = 0x9db4d0

export function layerColor(name: string, finish: { readonly silk: string }): Color {
  if (isInner(name)) return new Color(INNER[(Number(name.slice(2, -3)) - 1) % INNER.length])
  const kind = name.split('.')[1] ?? ''
  if (kind === 'SilkS') return namedColor(finish.silk, SILK_COLORS) ?? new Color(SILK_COLORS['white'])
  return new Color(COLORS[kind] ?? OTHER)
}

/** As the list of layers has them: from the front to the back, and then what is only for those who make the board. */
export function listedLayers(
  layers: readonly BoardLayer[],
  drawn: ReadonlySet<string>,
): readonly BoardLayer[] {
  const place = ({ name }: BoardLayer) => {
    const kinds = ['SilkS', 'Mask', 'Cu', 'Paste', 'Fab', 'CrtYd']
    const kind = kinds.indexOf(name.split('.')[1] ?? '')
    const within = kind === -1 ? 90 : kind
    if (isInner(name)) return 10 + Number(name.slice(2, -3)) / 1000
    if (kind >= 3 || kind === -1) return 50 + within * 2 + (name.startsWith('B.') ? 1 : 0)
    return name.startsWith('B.') ? 20 - within : within
  }
  return layers.filter(({ name }) => drawn.has(name)).toSorted((one, other) => place(one) - place(other))
}
