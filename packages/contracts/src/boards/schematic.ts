import { type Static, Type } from 'typebox'
import { changeRefusals, filePath, reason } from '../content/files.ts'
import { endpoint } from '../core/endpoint.ts'
import { BOARD_LIMITS } from '../core/limits.ts'
import { workspaceParams } from '../panels/workspaces.ts'
import { BOARDS_PATH } from './jobs.ts'

const STRICT = { additionalProperties: false } as const

/** What KiCad's 32-bit units reach, in nanometers. */
const FARTHEST = 214_748_364_700
const nanometers = Type.Integer({ minimum: -FARTHEST, maximum: FARTHEST })
const point = Type.Object({ x: nanometers, y: nanometers }, { ...STRICT, description: 'In nanometers.' })

const newId = Type.Optional(
  Type.String({
    pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    description: 'A UUID that nothing in the file has. Made by the server unless given.',
  }),
)
const item = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The id of an item, or the reference of a symbol of this file, such as `R1`: all its units.',
})
const items = Type.Array(item, { minItems: 1, maxItems: BOARD_LIMITS.schematicItems })
const text = Type.String({ minLength: 1, maxLength: BOARD_LIMITS.schematicText })
const anyText = Type.String({ maxLength: BOARD_LIMITS.schematicText })
const reference = Type.String({ minLength: 1, maxLength: 64, description: 'Such as `R12`.' })
const angle = Type.Enum([0, 90, 180, 270])
const axis = Type.Enum(['x', 'y'], {
  description: '`x` exchanges top and bottom, `y` left and right.',
})
const shape = Type.Enum(['input', 'output', 'bidirectional', 'tri_state', 'passive'])
/** Where a symbol or a sheet is in the hierarchy. */
const place = {
  project: Type.String({ maxLength: 200 }),
  path: Type.String({ minLength: 1, maxLength: 2_000 }),
}

const change = <const Kind extends string, Fields extends Parameters<typeof Type.Object>[0]>(
  type: Kind,
  fields: Fields,
  description?: string,
) =>
  Type.Object(
    { type: Type.Literal(type), ...fields },
    { ...STRICT, ...(description === undefined ? {} : { description }) },
  )

export const schematicPin = Type.Object(
  { reference, pin: Type.String({ minLength: 1, maxLength: 64, description: 'Its number, such as `5`.' }) },
  STRICT,
)
export type SchematicPin = Static<typeof schematicPin>

export const schematicChange = Type.Union([
  change('move', {
    ids: items,
    by: point,
    ends: Type.Optional(
      Type.Array(Type.Object({ id: item, end: Type.Enum(['from', 'to']) }, STRICT), {
        maxItems: BOARD_LIMITS.schematicItems,
        description: 'Ends of wires that go along. Unless given: those that are connected to what moves.',
      }),
    ),
  }),
  change('rotate', {
    ids: items,
    about: point,
    turns: Type.Enum([1, 2, 3], { description: 'Quarter turns counterclockwise.' }),
  }),
  change('mirror', { ids: items, about: point, axis }),
  change('delete', { ids: items }),
  change('addLine', { kind: Type.Enum(['wire', 'bus']), id: newId, from: point, to: point }),
  change('addBusEntry', { id: newId, at: point, size: point }),
  change('addMark', { kind: Type.Enum(['junction', 'no_connect']), id: newId, at: point }),
  change('addLabel', {
    kind: Type.Enum(['label', 'global_label', 'hierarchical_label']),
    id: newId,
    text,
    at: point,
    angle,
    shape: Type.Optional(shape),
  }),
  change('addText', { id: newId, text, at: point, angle }),
  change(
    'addSymbol',
    {
      id: newId,
      libId: Type.String({ minLength: 1, maxLength: 400, description: 'Such as `Device:R`.' }),
      definition: Type.Optional(
        Type.String({
          maxLength: BOARD_LIMITS.symbolText,
          description:
            '`(symbol "…" …)` as it stands in a library. Unless given, that of the file itself, of a library package of the workspace, or of the libraries installed with KiCad.',
        }),
      ),
      at: point,
      angle,
      mirror: Type.Optional(axis),
      unit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: '1 unless given.' })),
      value: Type.Optional(anyText),
      footprint: Type.Optional(anyText),
      pinIds: Type.Optional(Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 36 }))),
      reference: Type.Optional({
        ...reference,
        description:
          'Such as `R12`. Unless given: the letters of the definition and the next free number of this file.',
      }),
      instances: Type.Optional(
        Type.Array(Type.Object({ ...place, reference }, STRICT), {
          maxItems: BOARD_LIMITS.schematicItems,
          description: 'Unless given: where the other symbols of the file are.',
        }),
      ),
    },
    'Power symbols as well.',
  ),
  change('addSheet', {
    id: newId,
    at: point,
    size: point,
    name: text,
    file: text,
    pins: Type.Array(Type.Object({ id: newId, name: text, shape, at: point, angle }, STRICT), {
      maxItems: BOARD_LIMITS.schematicItems,
    }),
    instances: Type.Array(Type.Object({ ...place, page: text }, STRICT), {
      maxItems: BOARD_LIMITS.schematicItems,
    }),
  }),
  change(
    'addSheetPin',
    { sheet: item, id: newId, name: text, shape, at: point, angle },
    'On the edge of the box of a sheet, for the hierarchical label of this name in it.',
  ),
  change('setProperty', {
    id: item,
    name: text,
    value: Type.Union([anyText, Type.Null()], { description: '`null` takes it away.' }),
  }),
  change('setText', { id: item, text }),
  change('annotate', {
    references: Type.Array(Type.Object({ ...place, id: item, reference }, STRICT), {
      minItems: 1,
      maxItems: BOARD_LIMITS.schematicItems,
    }),
  }),
  change(
    'connect',
    {
      pins: Type.Array(schematicPin, { minItems: 1, maxItems: 50 }),
      net: Type.Optional({
        ...text,
        description:
          'What the net is called. Needed for one pin; otherwise the name that one of the pins has.',
      }),
    },
    'Labels with the same name at pins of symbols of this file, where they are not connected yet.',
  ),
  change('markNoConnect', { pins: Type.Array(schematicPin, { minItems: 1, maxItems: 50 }) }),
])
export type SchematicChangeRequest = Static<typeof schematicChange>

export const postSchematicChanges = endpoint({
  method: 'POST',
  path: `${BOARDS_PATH}/schematic/changes`,
  name: 'changeSchematic',
  summary: 'Changes a schematic, also while people edit it',
  description:
    'One after the other, all or none. What makes no sense is 422 `schematic_change_refused` with `refusal`, the index of the `change`, and the `item` it is about. Whoever has the schematic or its text open sees it at once, and the file has it when this answers.',
  tag: 'Boards',
  params: workspaceParams,
  body: Type.Object(
    {
      path: filePath,
      changes: Type.Array(schematicChange, { minItems: 1, maxItems: BOARD_LIMITS.schematicChanges }),
      reason,
    },
    STRICT,
  ),
  responses: {
    200: Type.Object({
      revision: Type.Integer({ description: 'Of the files of the workspace, with these changes.' }),
      isChanged: Type.Boolean(),
      added: Type.Array(
        Type.Object({
          change: Type.Integer({ description: 'The index of the change that added it.' }),
          id: Type.String(),
          reference: Type.Union([Type.String(), Type.Null()]),
        }),
      ),
    }),
  },
  problems: [
    ...changeRefusals,
    'file_not_text',
    'board_file_refused',
    'schematic_change_refused',
    'edits_too_old',
    'objects_unavailable',
  ],
})
export type SchematicChanged = Static<(typeof postSchematicChanges)['responses'][200]>

export const postSchematicAnnotation = endpoint({
  method: 'POST',
  path: `${BOARDS_PATH}/schematic/annotation`,
  name: 'annotateSchematic',
  summary: 'Numbers all symbols of a schematic that have no number, on all its sheets',
  description:
    'From the topmost sheet, or the `.kicad_pro` beside it. Numbers are unique in the whole schematic; those that are there stay. The files change in one step, all or none, also while people edit them.',
  tag: 'Boards',
  params: workspaceParams,
  body: Type.Object({ path: filePath, reason }, STRICT),
  responses: {
    200: Type.Object({
      revision: Type.Integer({ description: 'Of the files of the workspace, with these numbers.' }),
      isChanged: Type.Boolean(),
      files: Type.Array(
        Type.Object({
          path: Type.String(),
          references: Type.Array(
            Type.Object({ id: Type.String({ description: 'Of the symbol.' }), reference: Type.String() }),
          ),
        }),
        { maxItems: BOARD_LIMITS.annotatedFiles, description: 'Those with symbols that got a number.' },
      ),
    }),
  },
  problems: [
    ...changeRefusals,
    'file_not_text',
    'board_file_refused',
    'edits_too_old',
    'objects_unavailable',
  ],
})
export type AnnotatedSchematic = Static<(typeof postSchematicAnnotation)['responses'][200]>
