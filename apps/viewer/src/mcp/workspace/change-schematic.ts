import type { SchematicChangeRequest } from '@patchbay/client/workspaces'
import { displayText } from '@patchbay/primitives/text'
import { type Static, Type } from 'typebox'
import { defineTool, type Work } from '../tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'
import { schematicPath, withBoards } from './boards.ts'
import type { OpenServer } from './opened-server.ts'
import { reasonKeptWith, workspaceArgument } from './pick.ts'

const STRICT = { additionalProperties: false } as const
const MM = 1_000_000
/** Farther than any sheet is large. */
const FARTHEST_MM = 5_000
const GRID = 'In millimeters; symbols and wires are usually on a grid of 1.27.'

const millimeters = Type.Number({ minimum: -FARTHEST_MM, maximum: FARTHEST_MM })
const point = Type.Object({ x: millimeters, y: millimeters }, { ...STRICT, description: GRID })
const angle = Type.Optional(
  Type.Enum([0, 90, 180, 270], { default: 0, description: 'In degrees, counterclockwise.' }),
)
const pins = Type.Array(
  Type.String({ pattern: '^[^\\s.]{1,60}\\.[^\\s.]{1,60}$', description: 'Such as U3.5: symbol and pin.' }),
  { minItems: 1, maxItems: 50 },
)
const items = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  minItems: 1,
  maxItems: 100,
  description: 'References of symbols, such as R1, or ids of items.',
})
const text = Type.String({ minLength: 1, maxLength: 1_000 })

const operation = Type.Union([
  Type.Object(
    { do: Type.Literal('connect'), pins, net: Type.Optional(text) },
    { ...STRICT, description: 'Puts pins on one net, with labels. One pin needs the name of the net.' },
  ),
  Type.Object({ do: Type.Literal('mark_not_connected'), pins }, STRICT),
  Type.Object(
    {
      do: Type.Literal('set'),
      item: Type.String({ minLength: 1, maxLength: 64, description: 'A reference, such as R1.' }),
      property: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, default: 'Value', description: 'Such as Footprint.' }),
      ),
      value: Type.String({ maxLength: 1_000 }),
    },
    STRICT,
  ),
  Type.Object(
    {
      do: Type.Literal('add_symbol'),
      symbol: Type.String({
        minLength: 1,
        maxLength: 400,
        description: 'Such as Device:R or power:GND. av_search_symbols finds what there is.',
      }),
      definition: Type.Optional(
        Type.String({
          maxLength: 500_000,
          description:
            '(symbol "…" …) of a library that neither KiCad nor the workspace has. Not needed for what av_search_symbols finds.',
        }),
      ),
      at: point,
      angle,
      reference: Type.Optional(Type.String({ maxLength: 64 })),
      value: Type.Optional(text),
      footprint: Type.Optional(text),
    },
    STRICT,
  ),
  Type.Object(
    {
      do: Type.Literal('add_label'),
      text,
      kind: Type.Optional(Type.Enum(['local', 'global', 'hierarchical'], { default: 'local' })),
      at: point,
      angle,
    },
    STRICT,
  ),
  Type.Object({ do: Type.Literal('add_wire'), from: point, to: point }, STRICT),
  Type.Object({ do: Type.Literal('add_junction'), at: point }, STRICT),
  Type.Object(
    { do: Type.Literal('move'), items, by: point },
    { ...STRICT, description: 'Wires that are connected follow.' },
  ),
  Type.Object(
    {
      do: Type.Literal('rotate'),
      items,
      about: point,
      quarterTurns: Type.Integer({ minimum: 1, maximum: 3 }),
    },
    STRICT,
  ),
  Type.Object({ do: Type.Literal('delete'), items }, STRICT),
])

const input = Type.Object(
  {
    path: schematicPath,
    changes: Type.Array(operation, { minItems: 1, maxItems: 50 }),
    reason: reasonKeptWith('change'),
    workspace: workspaceArgument,
  },
  STRICT,
)
const output = Type.Object({
  workspace: Type.String(),
  path: Type.String(),
  revision: Type.Integer(),
  isChanged: Type.Boolean(),
  added: Type.Array(Type.Object({ id: Type.String(), reference: Type.Union([Type.String(), Type.Null()]) })),
})

export const changeSchematic = defineTool({
  name: 'av_change_schematic',
  title: 'Change a schematic',
  description:
    'Changes one file of a schematic, one change after the other, all or none, also while people edit it: they see it at once, and the history names you with the reason. What makes no sense is refused and nothing is changed. Look at av_read_nets before, and run av_check_board afterwards.',
  input,
  output,
  nature: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
})

type Operation = Static<typeof operation>

export function changeSchematicIn(open: OpenServer): Work<typeof input, typeof output> {
  return async ({ path, changes, reason, workspace: named }, { mcpReq: { signal } }) =>
    await withBoards(open, named, 'files:write', signal, async ({ workspace, name }) => {
      const requests = changes.map((each) => requestOf(each))
      const done = await workspace.boards.change(path, requests, { reason: displayText(reason, 200) })
      const added = done.added.map(({ id, reference }) => ({ id, reference }))
      const told = added.flatMap(({ reference }) => (reference === null ? [] : [displayText(reference, 64)]))
      return {
        text: [
          done.isChanged
            ? `Changed ${displayText(path, 200)} of ${name}, revision ${done.revision}.`
            : `Everything in ${displayText(path, 200)} of ${name} was so already.`,
          ...(told.length === 0 ? [] : [`Added: ${told.join(', ')}.`]),
          'av_check_board says whether the rules hold now.',
        ].join('\n'),
        facts: { workspace: name, path, revision: done.revision, isChanged: done.isChanged, added },
      }
    })
}

const placeOf = ({ x, y }: Static<typeof point>) => ({ x: Math.round(x * MM), y: Math.round(y * MM) })

const KINDS = { local: 'label', global: 'global_label', hierarchical: 'hierarchical_label' } as const

function requestOf(given: Operation): SchematicChangeRequest {
  switch (given.do) {
    case 'connect': {
      const { net } = given
      return { type: 'connect', pins: given.pins.map(pinOf), ...(net === undefined ? {} : { net }) }
    }
    case 'mark_not_connected':
      return { type: 'markNoConnect', pins: given.pins.map(pinOf) }
    case 'set':
      return { type: 'setProperty', id: given.item, name: given.property ?? 'Value', value: given.value }
    case 'add_symbol': {
      const { symbol, at, angle: turned = 0, do: _do, ...rest } = given
      return { type: 'addSymbol', libId: symbol, at: placeOf(at), angle: turned, ...rest }
    }
    case 'add_label': {
      const kind = KINDS[given.kind ?? 'local']
      const shape = kind === 'label' ? {} : ({ shape: 'passive' } as const)
      return {
        type: 'addLabel',
        kind,
        text: given.text,
        at: placeOf(given.at),
        angle: given.angle ?? 0,
        ...shape,
      }
    }
    case 'add_wire':
      return { type: 'addLine', kind: 'wire', from: placeOf(given.from), to: placeOf(given.to) }
    case 'add_junction':
      return { type: 'addMark', kind: 'junction', at: placeOf(given.at) }
    case 'move':
      return { type: 'move', ids: given.items, by: placeOf(given.by) }
    case 'rotate':
      return {
        type: 'rotate',
        ids: given.items,
        about: placeOf(given.about),
        turns: given.quarterTurns as 1 | 2 | 3,
      }
    case 'delete':
      return { type: 'delete', ids: given.items }
    default:
      given satisfies never
      throw new ToolRefusal('There is no such change.')
  }
}

function pinOf(name: string) {
  const dot = name.indexOf('.')
  return { reference: name.slice(0, dot), pin: name.slice(dot + 1) }
}
