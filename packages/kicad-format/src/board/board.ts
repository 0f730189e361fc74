import type { Point } from '../tree/value.ts'

/** How much of a board is kept. What is beyond is left out, and `isCut` says so. */
export const BOARD_LIMITS = {
  /** Of all lines and areas. The largest of KiCad's own demonstration boards has 1.7 million. */
  points: 8_000_000,
  /** Pads, tracks, vias, areas, drawings and texts. */
  items: 1_000_000,
  layers: 256,
  /** Of one arc or circle. */
  arcPoints: 256,
  /** Lines, arcs and closed shapes of the edge. */
  edgePieces: 20_000,
} as const

/** Places in nanometers, one after the other: x, y, x, y, … */
export type Points = Float64Array

/** A line with a width, or an area. Arcs, circles and curves are lines of short pieces. */
export interface BoardPath {
  readonly points: Points
  readonly isClosed: boolean
  readonly isFilled: boolean
  /** Of the line, 0 for an area without one. */
  readonly width: number
}

export interface BoardLayer {
  /** Such as `F.Cu`: the same in every language. */
  readonly name: string
  /** What its designer calls it. */
  readonly label: string
  readonly isCopper: boolean
}

export interface BoardDrawing extends BoardPath {
  readonly layer: string
  /** A place in `nets`; 0 for none. */
  readonly net: number
}

export interface BoardText {
  readonly text: string
  readonly layer: string
  readonly at: Point
  /** In degrees, counterclockwise. */
  readonly angle: number
  readonly height: number
  readonly width: number
  readonly thickness: number
  readonly horizontal: 'left' | 'center' | 'right'
  readonly vertical: 'top' | 'center' | 'bottom'
  readonly isMirrored: boolean
}

export interface BoardHole {
  readonly at: Point
  /** Round where both are the same, and otherwise a slot. */
  readonly width: number
  readonly height: number
  readonly angle: number
  readonly isPlated: boolean
}

export interface BoardPad {
  readonly number: string
  readonly kind: string
  readonly shape: string
  readonly at: Point
  readonly size: Point
  /** In degrees, with the turn of its footprint. */
  readonly angle: number
  /** Those of the board that it is on; `*.Cu` is all of copper. */
  readonly layers: readonly string[]
  readonly net: number
  /** What its pin is called in the schematic. */
  readonly pin: string
  readonly hole: BoardHole | undefined
  readonly areas: readonly BoardPath[]
}

export interface Box {
  readonly min: Point
  readonly max: Point
}

export interface BoardFootprint {
  readonly id: string
  readonly reference: string
  readonly value: string
  /** Such as `Resistor_SMD:R_0603_1608Metric`. */
  readonly name: string
  readonly description: string
  readonly datasheet: string
  /** Without those above. */
  readonly properties: readonly { readonly name: string; readonly value: string }[]
  readonly at: Point
  readonly angle: number
  readonly side: 'front' | 'back'
  /** Whether it is to be fitted. */
  readonly isFitted: boolean
  /** The ids of its sheets and its symbol, such as `/8a1…/5c2…`. */
  readonly path: string
  readonly sheetFile: string
  /** Around its courtyard or, without one, its pads and drawings. */
  readonly box: Box
  readonly pads: readonly BoardPad[]
}

export interface BoardTrack extends BoardPath {
  readonly layer: string
  readonly net: number
}

export interface BoardVia {
  readonly at: Point
  readonly size: number
  readonly hole: number
  /** All that it goes through. */
  readonly layers: readonly string[]
  readonly net: number
}

/** A piece of copper, or of another layer, that fills a zone. */
export interface BoardFill extends BoardPath {
  readonly layer: string
  readonly net: number
}

/** A piece of the board, with what is cut out of it. */
export interface BoardArea {
  readonly outer: Points
  readonly holes: readonly Points[]
}

export interface Board {
  readonly version: number
  readonly generator: string
  readonly title: string
  readonly revision: string
  readonly thickness: number
  /** The colors that its maker is told, such as `Green`; empty where they are told none. */
  readonly finish: { readonly mask: string; readonly silk: string }
  readonly layers: readonly BoardLayer[]
  /** Names; the first is empty, for what is connected to nothing. */
  readonly nets: readonly string[]
  readonly areas: readonly BoardArea[]
  /** Whether the edge is closed. Otherwise `areas` is a box around everything. */
  readonly hasEdge: boolean
  readonly footprints: readonly BoardFootprint[]
  readonly tracks: readonly BoardTrack[]
  readonly vias: readonly BoardVia[]
  readonly fills: readonly BoardFill[]
  /** Those of the footprints too. */
  readonly drawings: readonly BoardDrawing[]
  readonly texts: readonly BoardText[]
  /** What was not understood, by its word, and how often it is there. */
  readonly unknown: ReadonlyMap<string, number>
  /** Whether the board has more than `BOARD_LIMITS`. */
  readonly isCut: boolean
}
