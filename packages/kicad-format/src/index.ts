export {
  BOARD_LIMITS,
  type Board,
  type BoardArea,
  type BoardDrawing,
  type BoardFill,
  type BoardFootprint,
  type BoardHole,
  type BoardLayer,
  type BoardPad,
  type BoardPath,
  type BoardText,
  type BoardTrack,
  type BoardVia,
  type Box,
  type Points,
} from './board/board.ts'
export { isInside, signedArea } from './board/outline.ts'
export { circlePoints } from './board/paths.ts'
export { inStackOrder, readBoard } from './board/read-board.ts'
export { annotationFor, projectOf } from './changes/annotation.ts'
export { applyChange } from './changes/apply.ts'
export type { LineEnd, NewSheetPin, SchematicChange } from './changes/change.ts'
export { wiresToDrag } from './changes/drag.ts'
export { type Outcome, REFUSALS, type Refusal, type RefusalCode } from './changes/refusal.ts'
export { type TextEdit, textEdits } from './changes/text-edits.ts'
export { KicadSyntaxError, type SyntaxFault, TangledNetsError } from './fault.ts'
export { KICAD_LIMITS, type ReadLimits } from './limits.ts'
export {
  DESIGN_FAULTS,
  type Design,
  type DesignFault,
  type DesignSheet,
  readDesign,
  referenceOf,
} from './nets/design.ts'
export { type Net, type NetItem, type NetPin, netOfPin, netsOf } from './nets/nets.ts'
export { type PinOnSheet, pinsOf, placeOf } from './schematic/geometry.ts'
export type {
  BusAlias,
  BusEntry,
  Graphic,
  Instance,
  Label,
  LibraryPin,
  LibrarySymbol,
  LibraryUnit,
  Line,
  Mark,
  MirrorAxis,
  PlacedPin,
  PlacedSymbol,
  Property,
  Schematic,
  SchematicItem,
  SheetBox,
  SheetInstance,
  SheetPin,
  SymbolInstance,
  Text,
  TitleBlock,
} from './schematic/items.ts'
export { definitionsOf, readLibrary, unitsOf } from './schematic/library.ts'
export { newSchematic } from './schematic/new-schematic.ts'
export { readItem, readSchematic } from './schematic/read.ts'
export { type ListedSymbol, listSymbols, standaloneSymbol, symbolIn } from './schematic/standalone.ts'
export { insertChild, keepChildren, removeChild, replaceChild, withRoot } from './tree/edit.ts'
export {
  type Atom,
  createAtom,
  createList,
  type Document,
  isList,
  type List,
  type Node,
} from './tree/node.ts'
export { type ParseOptions, parse } from './tree/parse.ts'
export { formatList, lineStart, type Style, styleOf } from './tree/style.ts'
export {
  angleOf,
  childOf,
  childrenOf,
  hasFlag,
  lengthOf,
  millimeters,
  NANOMETERS,
  numberOf,
  type Point,
  pointOf,
  quote,
  textIn,
  valueOf,
  valuesOf,
} from './tree/value.ts'
export { write, writeNode } from './tree/write.ts'
