/** How much of a file is read. The largest of KiCad's own demonstration boards has 70 MB, 8 million nodes and 9 levels. */
export interface ReadLimits {
  /** In characters. */
  readonly length: number
  /** Lists, words and strings. */
  readonly nodes: number
  /** Lists in lists. */
  readonly depth: number
}

export const KICAD_LIMITS = {
  length: 134_217_728,
  nodes: 16_777_216,
  depth: 256,
  /** From the origin, in nanometers: what KiCad's 32-bit units reach in a schematic, about 214 m. */
  coordinate: 214_748_364_700,
  /** Of one text of a change, in characters. */
  text: 10_000,
  /** Items that one change is about. */
  items: 10_000,
  /** Sheets of a design, each counted as often as it is used. */
  sheets: 1_000,
  /** Sheets in sheets. */
  sheetDepth: 32,
  /** Signals of one bus. */
  busMembers: 1_024,
  /** Steps that finding the nets of a design takes: a second or two. KiCad's largest demonstration project takes 0.8 million. */
  netWork: 3_000_000,
} as const
