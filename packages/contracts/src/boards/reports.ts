import { type Static, Type } from 'typebox'
import { BOARD_LIMITS } from '../core/limits.ts'

/** `report.json` of the jobs that answer a question. */
export const BOARD_REPORT = 'report.json'

const text = Type.String()
const isComplete = Type.Boolean({ description: 'Whether everything is listed, or as much as fits.' })
const sheet = Type.Union([text, Type.Null()], {
  description: 'Where it is in the hierarchy, such as `/` or `/power/`; `null` on a board.',
})

export const boardViolation = Type.Object({
  type: Type.String({ description: 'As KiCad calls the rule, such as `pin_not_connected`.' }),
  severity: Type.Enum(['error', 'warning']),
  isExcluded: Type.Boolean({ description: 'Somebody has decided that it is fine here.' }),
  group: Type.Enum(['rules', 'unconnected', 'parity'], {
    description: '`unconnected`: copper is missing. `parity`: board and schematic differ.',
  }),
  description: text,
  sheet,
  items: Type.Array(
    Type.Object({
      description: text,
      uuid: Type.String({ description: 'Of the item in the file.' }),
      x: Type.Number({ description: 'In millimeters, as in the file.' }),
      y: Type.Number(),
    }),
  ),
})
export type BoardViolation = Static<typeof boardViolation>

export const boardCheckReport = Type.Object({
  kind: Type.Enum(['erc', 'drc']),
  errors: Type.Integer(),
  warnings: Type.Integer(),
  exclusions: Type.Integer(),
  isComplete,
  violations: Type.Array(boardViolation, { maxItems: BOARD_LIMITS.violations }),
})
export type BoardCheckReport = Static<typeof boardCheckReport>

export const boardNetlistReport = Type.Object({
  kind: Type.Literal('netlist'),
  isComplete,
  components: Type.Array(
    Type.Object({
      reference: text,
      value: text,
      footprint: text,
      datasheet: text,
      description: text,
      library: Type.String({ description: 'Of the symbol, such as `Device:R`.' }),
      sheet: Type.String({ description: 'Where it is in the hierarchy.' }),
      uuids: Type.Array(text, {
        description: 'Of its symbols in the file; several for one with several units.',
      }),
    }),
    { maxItems: BOARD_LIMITS.components },
  ),
  nets: Type.Array(
    Type.Object({
      name: text,
      netClass: text,
      pins: Type.Array(
        Type.Object({
          reference: text,
          pin: Type.String({ description: 'Its number.' }),
          function: Type.String({ description: 'Its name; empty if it has none.' }),
          type: Type.String({ description: 'Such as `passive` or `power_in`.' }),
        }),
      ),
    }),
    { maxItems: BOARD_LIMITS.nets },
  ),
})
export type BoardNetlistReport = Static<typeof boardNetlistReport>

export const boardBomReport = Type.Object({
  kind: Type.Literal('bom'),
  isComplete,
  lines: Type.Array(
    Type.Object({
      references: Type.Array(text),
      value: text,
      footprint: text,
      datasheet: text,
      quantity: Type.Integer(),
      isDoNotPopulate: Type.Boolean(),
    }),
    { maxItems: BOARD_LIMITS.components },
  ),
})
export type BoardBomReport = Static<typeof boardBomReport>

export type BoardReport = BoardCheckReport | BoardNetlistReport | BoardBomReport
