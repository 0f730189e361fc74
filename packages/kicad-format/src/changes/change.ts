import type { Instance, Label, Line, MirrorAxis } from '../schematic/items.ts'
import type { Point } from '../tree/value.ts'

/** One end of a wire or bus. */
export interface LineEnd {
  readonly id: string
  readonly end: 'from' | 'to'
}

export interface NewSheetPin {
  readonly id: string
  readonly name: string
  readonly shape: string
  readonly at: Point
  readonly angle: number
}

/** One change of one file, as data. Places are in nanometers. Whoever makes it names the ids of what is new. */
export type SchematicChange =
  | {
      readonly type: 'move'
      readonly ids: readonly string[]
      readonly by: Point
      /** Of lines that stay connected: see `wiresToDrag`. */
      readonly ends?: readonly LineEnd[]
    }
  | {
      readonly type: 'rotate'
      readonly ids: readonly string[]
      readonly about: Point
      /** Quarter turns counterclockwise. */
      readonly turns: 1 | 2 | 3
    }
  | {
      readonly type: 'mirror'
      readonly ids: readonly string[]
      readonly about: Point
      /** `x` exchanges top and bottom, `y` left and right. */
      readonly axis: MirrorAxis
    }
  | { readonly type: 'delete'; readonly ids: readonly string[] }
  | {
      readonly type: 'addLine'
      readonly kind: Line['kind']
      readonly id: string
      readonly from: Point
      readonly to: Point
    }
  | { readonly type: 'addBusEntry'; readonly id: string; readonly at: Point; readonly size: Point }
  | {
      readonly type: 'addMark'
      readonly kind: 'junction' | 'no_connect'
      readonly id: string
      readonly at: Point
    }
  | {
      readonly type: 'addLabel'
      readonly kind: Label['kind']
      readonly id: string
      readonly text: string
      readonly at: Point
      readonly angle: number
      /** `input`, `output`, `bidirectional`, `tri_state` or `passive`; not for a local one. */
      readonly shape?: string
    }
  | {
      readonly type: 'addText'
      readonly id: string
      readonly text: string
      readonly at: Point
      readonly angle: number
    }
  | {
      /** Power symbols as well: their definition says what they are. */
      readonly type: 'addSymbol'
      readonly id: string
      readonly libId: string
      /** The text of `(symbol "…" …)`. Needed where the file has no definition with this id yet. */
      readonly definition?: string
      readonly at: Point
      readonly angle: number
      readonly mirror?: MirrorAxis
      readonly unit: number
      readonly value?: string
      readonly footprint?: string
      /** By their number. KiCad makes those that are missing. */
      readonly pinIds: Readonly<Record<string, string>>
      readonly instances: readonly (Instance & { readonly reference: string })[]
    }
  | {
      readonly type: 'addSheet'
      readonly id: string
      readonly at: Point
      readonly size: Point
      readonly name: string
      readonly file: string
      readonly pins: readonly NewSheetPin[]
      readonly instances: readonly (Instance & { readonly page: string })[]
    }
  | ({ readonly type: 'addSheetPin' /** The id of the sheet. */; readonly sheet: string } & NewSheetPin)
  | {
      readonly type: 'setProperty'
      readonly id: string
      readonly name: string
      /** `null` takes it away. */
      readonly value: string | null
    }
  | { readonly type: 'setText'; readonly id: string; readonly text: string }
  | {
      readonly type: 'annotate'
      readonly references: readonly (Instance & { readonly id: string; readonly reference: string })[]
    }
