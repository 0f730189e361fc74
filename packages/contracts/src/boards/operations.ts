import { type Static, Type } from 'typebox'
import { BOARD_LIMITS } from '../core/limits.ts'

/** What KiCad can be asked to do, and with which file. */
export const BOARD_OPERATIONS = {
  sheets: { on: 'schematic', does: 'Every sheet as SVG' },
  erc: { on: 'schematic', does: 'The electrical rules check' },
  netlist: { on: 'schematic', does: 'Components and nets' },
  bom: { on: 'schematic', does: 'The bill of materials' },
  layers: { on: 'board', does: 'Every layer as SVG' },
  render: { on: 'board', does: 'A picture of the board' },
  model: { on: 'board', does: 'The board with its components, as GLB' },
  drc: { on: 'board', does: 'The design rules check' },
  step: { on: 'board', does: 'The board with its components, as STEP' },
  gerbers: { on: 'board', does: 'Gerber and drill files in a ZIP archive' },
  pdf: { on: 'either', does: 'Every sheet, or the layers of the board, as PDF' },
} as const satisfies Record<string, { on: 'schematic' | 'board' | 'either'; does: string }>

export type BoardOperation = keyof typeof BOARD_OPERATIONS
export const BOARD_OPERATION_NAMES = Object.keys(BOARD_OPERATIONS) as BoardOperation[]

const STRICT = { additionalProperties: false } as const
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

export const layerName = Type.String({
  pattern: '^[A-Za-z0-9_]{1,20}(?:\\.[A-Za-z0-9_]{1,20})?$',
  description: 'As KiCad names it in the file, such as `F.Cu` or `Edge.Cuts`.',
})
const layers = Type.Optional(
  Type.Array(layerName, {
    minItems: 1,
    maxItems: BOARD_LIMITS.layers,
    uniqueItems: true,
    description: 'Those that the board has, unless given.',
  }),
)

export const RENDER_SIDES = ['top', 'bottom', 'left', 'right', 'front', 'back'] as const
const pixels = (size: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 64,
      maximum: BOARD_LIMITS.renderPx,
      default: size,
      description: 'About so many pixels: KiCad rounds them down.',
    }),
  )
const degrees = Type.Number({ minimum: -360, maximum: 360 })

export const boardOptions = {
  sheets: Type.Object(
    {
      isMonochrome: flag('Black on white.'),
      hasDrawingSheet: flag('With frame and title block, unless false.'),
    },
    STRICT,
  ),
  erc: Type.Object({}, STRICT),
  netlist: Type.Object(
    {
      format: Type.Optional(
        Type.Enum(['kicadsexpr', 'kicadxml', 'spice', 'cadstar', 'orcadpcb2', 'pads', 'allegro'], {
          default: 'kicadsexpr',
          description: 'Of `netlist.…`; `report.json` is there with each.',
        }),
      ),
    },
    STRICT,
  ),
  bom: Type.Object({}, STRICT),
  layers: Type.Object(
    {
      layers,
      area: Type.Optional(
        Type.Enum(['page', 'board'], {
          default: 'page',
          description:
            '`page`: the units of the SVG are millimeters of the file, from its origin. `board`: cut to the outline of the board.',
        }),
      ),
      isMonochrome: flag('Black on white.'),
    },
    STRICT,
  ),
  render: Type.Object(
    {
      side: Type.Optional(Type.Enum([...RENDER_SIDES], { default: 'top' })),
      width: pixels(1_600),
      height: pixels(900),
      isTransparent: flag('Without a background, unless false.'),
      isPerspective: flag('Parallel otherwise.'),
      quality: Type.Optional(Type.Enum(['basic', 'high'], { default: 'basic' })),
      zoom: Type.Optional(Type.Number({ minimum: 0.1, maximum: 20, default: 1 })),
      rotate: Type.Optional(
        Type.Object({ x: degrees, y: degrees, z: degrees }, { ...STRICT, description: 'In degrees.' }),
      ),
    },
    STRICT,
  ),
  model: Type.Object(
    {
      hasComponents: flag('With components, unless false.'),
      hasTracks: flag('With tracks and vias. Takes several times as long.'),
      hasPads: flag('With pads.'),
      hasZones: flag('With filled zones.'),
      hasSilkscreen: flag('With silkscreen.'),
      hasSoldermask: flag('With solder mask.'),
    },
    STRICT,
  ),
  drc: Type.Object(
    { isComparedWithSchematic: flag('Whether board and schematic agree is checked as well.') },
    STRICT,
  ),
  step: Type.Object({ hasComponents: flag('With components, unless false.') }, STRICT),
  gerbers: Type.Object({ layers }, STRICT),
  pdf: Type.Object({ layers, isMonochrome: flag('Black on white.') }, STRICT),
} as const satisfies Record<BoardOperation, unknown>

export type BoardOptions<Operation extends BoardOperation = BoardOperation> = Static<
  (typeof boardOptions)[Operation]
>

/** What a person waits for comes before what they will download. */
export const EXPORT_OPERATIONS: ReadonlySet<BoardOperation> = new Set<BoardOperation>([
  'step',
  'gerbers',
  'pdf',
])
