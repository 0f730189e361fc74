/** How a project draws: lengths in millimeters. */
export interface DrawingSettings {
  readonly lineWidth: number
  readonly pinSymbolSize: number
  /** How far texts of labels are from what they label, in their heights. */
  readonly textOffset: number
  /** How much larger than its text a global label is, in heights. */
  readonly labelSize: number
  readonly junctionDiameter: number
  readonly variables: Readonly<Record<string, string>>
}

const MIL = 0.0254
/** In widths of a line, as KiCad's dialog offers them. */
const JUNCTION_SIZES = [0, 1.7, 4, 6, 9, 12]
const JUNCTION_CHOICE = 3

export const DEFAULT_SETTINGS: DrawingSettings = settingsFrom({})

/** From the text of a `.kicad_pro` file; KiCad's own where that says nothing, or is none. */
export function readSettings(text: string): DrawingSettings {
  try {
    return settingsFrom(JSON.parse(text))
  } catch {
    return DEFAULT_SETTINGS
  }
}

function settingsFrom(project: unknown): DrawingSettings {
  const drawing = within(within(project, 'schematic'), 'drawing')
  const number = (name: string, otherwise: number, most: number) => {
    const value = within(drawing, name)
    return typeof value === 'number' && value >= 0 && value <= most ? value : otherwise
  }
  const lineWidth = number('default_line_thickness', 6, 1_000) * MIL
  const choice = number('junction_size_choice', JUNCTION_CHOICE, JUNCTION_SIZES.length - 1)
  return {
    lineWidth,
    pinSymbolSize: number('pin_symbol_size', 25, 1_000) * MIL,
    textOffset: number('text_offset_ratio', 0.15, 2),
    labelSize: number('label_size_ratio', 0.375, 2),
    junctionDiameter: lineWidth * (JUNCTION_SIZES[Math.round(choice)] ?? 6),
    variables: variablesIn(within(project, 'text_variables')),
  }
}

function within(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}

function variablesIn(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {}
  const entries = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return Object.fromEntries(entries)
}
