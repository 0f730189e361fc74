import type {
  BoardBomReport,
  BoardCheckReport,
  BoardNetlistReport,
  BoardViolation,
} from '@patchbay/contracts/boards'
import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import { childOf, childrenOf, NANOMETERS, parse, textIn, valuesOf } from '@patchbay/kicad-format'

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null
const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 2_000) : '')
const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

/** Of one finding. */
const MOST_ITEMS = 50
/** KiCad 9 says hundredths of what it means in the report of the electrical rules check. */
const ERC_SCALE = 100

function violationOf(
  found: Json,
  group: BoardViolation['group'],
  sheet: string | null,
  scale: number,
): BoardViolation {
  const severity = text(found['severity'])
  const place = (value: unknown) => Math.round(number(value) * scale * NANOMETERS) / NANOMETERS
  return {
    type: text(found['type']),
    severity: severity === 'error' ? 'error' : 'warning',
    isExcluded: severity === 'exclusion' || found['excluded'] === true,
    group,
    description: text(found['description']),
    sheet,
    items: objects(found['items'])
      .slice(0, MOST_ITEMS)
      .map((item) => {
        const at = isObject(item['pos']) ? item['pos'] : {}
        return {
          description: text(item['description']),
          uuid: text(item['uuid']),
          x: place(at['x']),
          y: place(at['y']),
        }
      }),
  }
}

const rankOf = ({ isExcluded, severity }: BoardViolation) => (isExcluded ? 2 : severity === 'error' ? 0 : 1)

/** What KiCad's JSON says, errors first. */
export function checkReportOf(kind: BoardCheckReport['kind'], json: unknown): BoardCheckReport {
  const report = isObject(json) ? json : {}
  const all =
    kind === 'erc'
      ? objects(report['sheets']).flatMap((sheet) =>
          objects(sheet['violations']).map((each) =>
            violationOf(each, 'rules', text(sheet['path']), ERC_SCALE),
          ),
        )
      : (
          [
            ['violations', 'rules'],
            ['unconnected_items', 'unconnected'],
            ['schematic_parity', 'parity'],
          ] as const
        ).flatMap(([name, group]) => objects(report[name]).map((each) => violationOf(each, group, null, 1)))
  const count = (rank: number) => all.filter((each) => rankOf(each) === rank).length
  return {
    kind,
    errors: count(0),
    warnings: count(1),
    exclusions: count(2),
    isComplete: all.length <= BOARD_LIMITS.violations,
    violations: all.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, BOARD_LIMITS.violations),
  }
}

/** What KiCad's own netlist says. */
export function netlistReportOf(netlist: string): BoardNetlistReport {
  const [root] = parse(netlist).roots
  const components = childrenOf(childOf(root, 'components'), 'comp')
  const nets = childrenOf(childOf(root, 'nets'), 'net')
  return {
    kind: 'netlist',
    isComplete: components.length <= BOARD_LIMITS.components && nets.length <= BOARD_LIMITS.nets,
    components: components.slice(0, BOARD_LIMITS.components).map((comp) => {
      const fields = childrenOf(childOf(comp, 'fields'), 'field')
      const fieldOf = (name: string) =>
        valuesOf(fields.find((each) => textIn(each, 'name') === name))[0] ?? ''
      const source = childOf(comp, 'libsource')
      return {
        reference: textIn(comp, 'ref') ?? '',
        value: textIn(comp, 'value') ?? '',
        footprint: textIn(comp, 'footprint') ?? '',
        datasheet: textIn(comp, 'datasheet') ?? fieldOf('Datasheet'),
        description: textIn(comp, 'description') ?? (textIn(source, 'description') || fieldOf('Description')),
        library: [textIn(source, 'lib'), textIn(source, 'part')].filter(Boolean).join(':'),
        sheet: textIn(childOf(comp, 'sheetpath'), 'names') ?? '',
        uuids: valuesOf(childOf(comp, 'tstamps')),
      }
    }),
    nets: nets.slice(0, BOARD_LIMITS.nets).map((net) => ({
      name: textIn(net, 'name') ?? '',
      netClass: textIn(net, 'class') ?? '',
      pins: childrenOf(net, 'node').map((node) => ({
        reference: textIn(node, 'ref') ?? '',
        pin: textIn(node, 'pin') ?? '',
        function: textIn(node, 'pinfunction') ?? '',
        type: textIn(node, 'pintype') ?? '',
      })),
    })),
  }
}

/** What KiCad's table says: `BOM_FIELDS` in each line. */
export function bomReportOf(csv: string): BoardBomReport {
  const [, ...lines] = readCsv(csv)
  return {
    kind: 'bom',
    isComplete: lines.length <= BOARD_LIMITS.components,
    lines: lines
      .slice(0, BOARD_LIMITS.components)
      .map(([references = '', value = '', footprint = '', datasheet = '', quantity = '', dnp = '']) => ({
        references: references.split(',').filter((each) => each !== ''),
        value,
        footprint,
        datasheet,
        quantity: Number.parseInt(quantity, 10) || 0,
        isDoNotPopulate: dnp !== '',
      })),
  }
}

/** Fields in quotes, a quote in them doubled. */
function readCsv(csv: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain = '', end = ''] of csv.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g,
  )) {
    row.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ',') continue
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  return rows
}
