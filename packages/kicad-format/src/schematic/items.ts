import type { List } from '../tree/node.ts'
import type { Point } from '../tree/value.ts'

export interface Property {
  readonly name: string
  readonly value: string
  readonly at: Point | undefined
  readonly angle: number
  readonly isHidden: boolean
  readonly node: List
}

/** What all items have. `node` is where it stands in the tree; what this package does not know of it is still there. */
interface Item {
  /** Empty in files that are older than ids. */
  readonly id: string
  readonly node: List
}

/** Where a symbol or a sheet is in one place of the hierarchy. */
export interface Instance {
  readonly project: string
  /** The ids of the root and of the sheets down to here: `/…/…`. */
  readonly path: string
}

export interface SymbolInstance extends Instance {
  readonly reference: string
  readonly unit: number
}

export interface SheetInstance extends Instance {
  readonly page: string
}

export interface PlacedPin {
  readonly number: string
  readonly id: string
  /** The name of another function of the pin that was chosen. */
  readonly alternate: string | undefined
}

export type MirrorAxis = 'x' | 'y'

export interface PlacedSymbol extends Item {
  readonly kind: 'symbol'
  /** Such as `Device:R`. */
  readonly libId: string
  /** Its definition in `lib_symbols`, where that differs from the library's. */
  readonly libName: string
  readonly at: Point
  /** 0, 90, 180 or 270 degrees counterclockwise. */
  readonly angle: number
  /** `x` exchanges top and bottom, `y` left and right. */
  readonly mirror: MirrorAxis | undefined
  readonly unit: number
  readonly bodyStyle: number
  readonly isInBom: boolean
  readonly isOnBoard: boolean
  readonly isFitted: boolean
  readonly properties: readonly Property[]
  readonly pins: readonly PlacedPin[]
  readonly instances: readonly SymbolInstance[]
}

export interface Line extends Item {
  readonly kind: 'wire' | 'bus'
  readonly from: Point
  readonly to: Point
}

export interface BusEntry extends Item {
  readonly kind: 'bus_entry'
  readonly at: Point
  /** From `at` to its other end. */
  readonly size: Point
}

export interface Mark extends Item {
  readonly kind: 'junction' | 'no_connect'
  readonly at: Point
}

export interface Label extends Item {
  readonly kind: 'label' | 'global_label' | 'hierarchical_label'
  readonly text: string
  readonly at: Point
  readonly angle: number
  /** `input`, `output`, …; empty for a local one. */
  readonly shape: string
}

export interface Text extends Item {
  readonly kind: 'text' | 'text_box'
  readonly text: string
  readonly at: Point
  readonly angle: number
}

export interface SheetPin extends Item {
  readonly kind: 'sheet_pin'
  readonly name: string
  readonly shape: string
  readonly at: Point
  readonly angle: number
}

export interface SheetBox extends Item {
  readonly kind: 'sheet'
  readonly at: Point
  readonly size: Point
  readonly name: string
  readonly file: string
  readonly properties: readonly Property[]
  readonly pins: readonly SheetPin[]
  readonly instances: readonly SheetInstance[]
}

export type SchematicItem = PlacedSymbol | Line | BusEntry | Mark | Label | Text | SheetBox

/** A pin of a symbol's definition. Its place is that of a library: y goes up. */
export interface LibraryPin {
  readonly number: string
  readonly name: string
  /** `input`, `output`, `passive`, `power_in`, … */
  readonly type: string
  /** `line`, `inverted`, `clock`, … */
  readonly shape: string
  readonly at: Point
  readonly angle: number
  readonly length: number
  readonly isHidden: boolean
  readonly node: List
}

/** A shape that a symbol's definition is drawn with. */
export interface Graphic {
  readonly kind: 'arc' | 'bezier' | 'circle' | 'polyline' | 'rectangle' | 'text'
  /** Corners in order; start, middle and end of an arc; the center of a circle; where a text is. */
  readonly points: readonly Point[]
  readonly radius: number
  readonly strokeWidth: number
  readonly strokeType: string
  readonly fill: string
  readonly text: string
  readonly angle: number
  readonly node: List
}

/** Part of a symbol's definition. Unit 0 belongs to all units, body style 0 to all body styles. */
export interface LibraryUnit {
  readonly unit: number
  readonly bodyStyle: number
  readonly pins: readonly LibraryPin[]
  readonly graphics: readonly Graphic[]
}

export interface LibrarySymbol {
  /** Such as `Device:R` in a schematic, `R` in a library. */
  readonly id: string
  /** The symbol of the same library that it is like. */
  readonly base: string | undefined
  readonly isPower: boolean
  readonly hasPinNames: boolean
  readonly hasPinNumbers: boolean
  /** How far pin names are from the pin's end. */
  readonly pinNameOffset: number
  readonly properties: readonly Property[]
  readonly units: readonly LibraryUnit[]
  readonly node: List
}

export interface TitleBlock {
  readonly title: string
  readonly date: string
  readonly revision: string
  readonly company: string
  /** By their number, from 1. */
  readonly comments: Readonly<Record<string, string>>
}

export interface BusAlias {
  readonly name: string
  readonly members: readonly string[]
}

/** One file of a schematic. */
export interface Schematic {
  readonly version: number
  readonly generator: string
  readonly id: string
  /** Such as `A4`, and its size where it is `User`. */
  readonly paper: string
  readonly paperSize: Point | undefined
  readonly isPortrait: boolean
  readonly titleBlock: TitleBlock
  readonly library: readonly LibrarySymbol[]
  readonly busAliases: readonly BusAlias[]
  readonly items: readonly SchematicItem[]
  /** What this package has no words for, or what lacks something that it needs. It stays as it is. */
  readonly unknown: readonly List[]
  /** References by place in files of KiCad 6, where the root has those of all sheets. */
  readonly symbolInstances: readonly (SymbolInstance & { readonly node: List })[]
}
