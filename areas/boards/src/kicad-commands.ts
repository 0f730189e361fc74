import type { BoardOperation, BoardOptions } from '@patchbay/contracts/boards'
import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import type { Options } from './job.ts'
import { OUTPUT_FOLDER } from './sandbox.ts'

/** One run of `kicad-cli`, without the program itself. */
export type Command = readonly string[]

const out = (name: string): readonly string[] => ['--output', `${OUTPUT_FOLDER}/${name}`]
const given = (flag: string, isGiven: boolean | undefined): readonly string[] =>
  isGiven === true ? [flag] : []
const words = (text: string): readonly string[] => text.split(' ')

export const NETLIST_ENDINGS: Readonly<Record<string, string>> = {
  kicadsexpr: 'net',
  kicadxml: 'xml',
  spice: 'cir',
  cadstar: 'frp',
  orcadpcb2: 'net',
  pads: 'asc',
  allegro: 'txt',
}

/** In the order in which the report reads them. */
const BOM_FIELDS = 'Reference,Value,Footprint,Datasheet,${QUANTITY},${DNP}'
const BOM_LABELS = 'Refs,Value,Footprint,Datasheet,Qty,DNP'

const CHECK = words('--format json --units mm --severity-all')

interface Asked<Operation extends BoardOperation> {
  readonly options: BoardOptions<Operation>
  /** What KiCad opens, as a word of a command. */
  readonly path: string
  /** With commas between them. */
  readonly layers: string
}

/** An option that a number or a name belongs to is one word with it: what begins with a hyphen would be another option. */
const COMMANDS: {
  readonly [Operation in BoardOperation]: (asked: Asked<Operation>) => readonly Command[]
} = {
  sheets: ({ options: { isMonochrome, hasDrawingSheet }, path }) => [
    [
      ...words('sch export svg'),
      ...out('sheets'),
      ...given('--black-and-white', isMonochrome),
      ...given('--exclude-drawing-sheet', hasDrawingSheet === false),
      path,
    ],
  ],
  erc: ({ path }) => [['sch', 'erc', ...CHECK, ...out('erc.json'), path]],
  netlist: ({ options: { format = 'kicadsexpr' }, path }) => {
    const export_ = (kind: string, name: string) => [
      ...words('sch export netlist --format'),
      kind,
      ...out(name),
      path,
    ]
    return [
      export_('kicadsexpr', 'netlist.kicad'),
      ...(format === 'kicadsexpr' ? [] : [export_(format, 'netlist.other')]),
    ]
  },
  bom: ({ path }) => [
    [
      ...words('sch export bom'),
      ...out('bom.csv'),
      '--fields',
      BOM_FIELDS,
      '--labels',
      BOM_LABELS,
      '--group-by',
      'Value,Footprint,${DNP}',
      '--ref-range-delimiter',
      '',
      path,
    ],
  ],
  layers: ({ options: { area, isMonochrome }, path, layers }) => [
    [
      ...words('pcb export svg --mode-multi --exclude-drawing-sheet --layers'),
      layers,
      `--page-size-mode=${area === 'board' ? 2 : 0}`,
      ...given('--black-and-white', isMonochrome),
      ...out('layers'),
      path,
    ],
  ],
  render: ({ options, path }) => {
    const { side = 'top', width = 1_600, height = 900, quality = 'basic', zoom = 1, rotate } = options
    return [
      [
        ...words('pcb render'),
        ...out('board.png'),
        `--side=${side}`,
        `--width=${width}`,
        `--height=${height}`,
        `--background=${options.isTransparent === false ? 'opaque' : 'transparent'}`,
        `--quality=${quality}`,
        `--zoom=${zoom}`,
        ...given('--perspective', options.isPerspective),
        ...(rotate === undefined ? [] : [`--rotate=${rotate.x},${rotate.y},${rotate.z}`]),
        path,
      ],
    ]
  },
  model: ({ options, path }) => [
    [
      ...words('pcb export glb --force --subst-models'),
      ...out('board.glb'),
      ...given('--no-components', options.hasComponents === false),
      ...given('--include-tracks', options.hasTracks),
      ...given('--include-pads', options.hasPads),
      ...given('--include-zones', options.hasZones),
      ...given('--include-silkscreen', options.hasSilkscreen),
      ...given('--include-soldermask', options.hasSoldermask),
      path,
    ],
  ],
  drc: ({ options, path }) => [
    [
      'pcb',
      'drc',
      ...CHECK,
      ...out('drc.json'),
      ...given('--schematic-parity', options.isComparedWithSchematic),
      path,
    ],
  ],
  step: ({ options, path }) => [
    [
      ...words('pcb export step --force --subst-models'),
      ...out('board.step'),
      ...given('--no-components', options.hasComponents === false),
      path,
    ],
  ],
  gerbers: ({ path, layers }) => [
    [...words('pcb export gerbers --layers'), layers, ...out('gerbers'), path],
    [...words('pcb export drill'), ...out('gerbers/'), path],
  ],
  pdf: ({ options: { isMonochrome }, path, layers }) => {
    const plain = given('--black-and-white', isMonochrome)
    return path.endsWith('.kicad_sch')
      ? [[...words('sch export pdf'), ...out('sheets.pdf'), ...plain, path]]
      : [
          [
            ...words('pcb export pdf --mode-multipage --include-border-title --layers'),
            layers,
            ...out('pdf'),
            ...plain,
            path,
          ],
        ]
  },
}

/** The commands of an operation, one after the other. `layers`: those that the board has, or that were asked for. */
export function commandsOf(
  operation: BoardOperation,
  options: Options,
  file: string,
  layers: readonly string[],
): readonly Command[] {
  // The contract has checked that they are those of the operation. A file whose name begins with a hyphen is not an option.
  const asked = { options, path: `./${file}`, layers: layers.join(',') }
  return COMMANDS[operation](asked)
}

export interface BoardLayer {
  readonly name: string
  /** What the author calls it, which KiCad makes the names of files from. */
  readonly title: string
}

const LAYER = /\(\s*\d+\s+"?([A-Za-z0-9_.]{1,41})"?\s+[a-z]+(?:\s+"((?:[^"\\]|\\.){0,200})")?[^()]{0,100}\)/g
const SECTION = /\(layers\b([^]{0,40000})/

/** The layers of a board, from the beginning of its file. */
export function layersOf(beginning: string): readonly BoardLayer[] {
  const section = SECTION.exec(beginning)?.[1] ?? ''
  const layers: BoardLayer[] = []
  let end = 0
  for (const match of section.matchAll(LAYER)) {
    // The section ends where something else stands between two layers.
    if (!/^\s*$/.test(section.slice(end, match.index))) break
    end = match.index + match[0].length
    const [, name = '', title] = match
    layers.push({ name, title: title?.replaceAll(/\\(.)/g, '$1') ?? name })
    if (layers.length === BOARD_LIMITS.layers) break
  }
  return layers
}

/** What KiCad puts in the place of what it does not want in names of files. */
export const plotNameOf = (title: string): string => title.trim().replaceAll(/[*?\\/:"<>|%.]/g, '_')

const MODEL_MISSING = /^File not found: (.{1,300})$/gm
const TROUBLE = /^(?:.*\b(?:could not|cannot|failed|error|invalid|unable|unknown)\b.*)$/gim
/** Said at every start with a new home folder, and of each component whose model is missing. */
const USUAL =
  /CvPcb|Footprint Library Table|library table|Could not add 3D model|VRML|Unable to create|fontconfig/i

/** A path of the sandbox, or what is said at every start. */
const NO_STEP = new RegExp(String.raw`[/\\]|\b(?:not|failed|time)\b|^Done|${USUAL.source}`, 'i')

/** The last thing that KiCad says it does; `undefined`: nothing of it says so. `text`: the end of what it has said, whose last line may be half said. */
export function stepIn(text: string): string | undefined {
  return text
    .replace(/[^\r\n%]*$/, '')
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .findLast((line) => /^[A-Z]\w+ ?/.test(line) && !NO_STEP.test(line))
}

/** What of KiCad's words says something to whoever asked. */
export function notesOf(text: string): string[] {
  const missing = [...new Set([...text.matchAll(MODEL_MISSING)].map(([, path = '']) => path))]
  const models =
    missing.length === 0 ? [] : [`${missing.length} 3D models were not found, such as ${missing[0]}`]
  const trouble = [...new Set(text.match(TROUBLE) ?? [])].filter((line) => !USUAL.test(line))
  return [...models, ...trouble].slice(0, BOARD_LIMITS.notes)
}
