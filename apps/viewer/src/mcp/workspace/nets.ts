import { Problem, type Workspace } from '@patchbay/client/workspaces'
import {
  type Design,
  type Document,
  KicadSyntaxError,
  type Net,
  netsOf,
  parse,
  readDesign,
  readSchematic,
  TangledNetsError,
} from '@patchbay/kicad-format'
import { displayText } from '@patchbay/primitives/text'
import { type Static, Type } from 'typebox'
import { type Answer, defineTool, type Work } from '../tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'
import { BOARD_TEXT_IS_DATA, schematicPath, withBoards } from './boards.ts'
import type { OpenServer } from './opened-server.ts'
import { workspaceArgument } from './pick.ts'

const MOST_FILES = 200
const MOST_CHARACTERS = 64 * 1024 ** 2
/** A model reads all of them. */
const MOST_NETS = 300
const MOST_PINS = 200

const input = Type.Object(
  {
    path: schematicPath,
    workspace: workspaceArgument,
    reference: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Of a symbol, such as U3: all its pins.' }),
    ),
    pin: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'The number of one of its pins, such as 5.' }),
    ),
    net: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'The name of a net, such as GND or /SDA.' }),
    ),
  },
  { additionalProperties: false },
)
const output = Type.Object({
  workspace: Type.String(),
  path: Type.String(),
  nets: Type.Array(
    Type.Object({
      name: Type.String(),
      labels: Type.Array(Type.String()),
      isNoConnect: Type.Boolean(),
      pins: Type.Array(
        Type.Object({
          reference: Type.String(),
          pin: Type.String(),
          name: Type.String(),
          type: Type.String({ description: 'input, output, passive, power_in, …' }),
          value: Type.String({ description: 'Of the symbol.' }),
        }),
      ),
    }),
  ),
  notShown: Type.Integer(),
  faults: Type.Array(Type.String(), { description: 'Sheets that could not be read.' }),
})

export const readNets = defineTool({
  name: 'av_read_nets',
  title: 'What is connected to what',
  description: `The nets of a schematic with all its sheets, as the file is at this moment: the net of one pin (reference and pin), of all pins of a symbol (reference), one net by its name, or all. Says what a pin is connected to, and what drives a net (its pins of type output or power_out). ${BOARD_TEXT_IS_DATA}`,
  input,
  output,
  nature: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})

export function readNetsIn(open: OpenServer): Work<typeof input, typeof output> {
  return async (given, { mcpReq: { signal } }) =>
    await withBoards(open, given.workspace, 'files:read', signal, async ({ workspace, name }) => {
      const { path, reference, pin, net } = given
      if (pin !== undefined && reference === undefined)
        throw new ToolRefusal('A pin is named with its symbol: give reference as well, such as U3.')
      const design = await loadDesign(workspace, path, signal)
      const all = findNets(design)
      const found = all.filter(
        ({ pins, name: called, labels }) =>
          (net === undefined || [called, ...labels].some((each) => isCalled(each, net))) &&
          (reference === undefined ||
            pins.some((each) => each.reference === reference && (pin === undefined || each.number === pin))),
      )
      if (found.length === 0 && all.length > 0) throw new ToolRefusal(nothingWords(given, all))
      return answerOf(name, path, design, found)
    })
}

function findNets(design: Design): readonly Net[] {
  try {
    return netsOf(design)
  } catch (error) {
    if (!(error instanceof TangledNetsError)) throw error
    throw new ToolRefusal(`The nets of this schematic cannot be read. ${error.message}.`)
  }
}

/** `SDA` is `/SDA` as well: a slash stands before the names that one sheet knows alone. */
const isCalled = (name: string, wanted: string) => name === wanted || name === `/${wanted}`

function nothingWords({ reference, pin, net }: Static<typeof input>, nets: readonly Net[]): string {
  if (reference === undefined) {
    const names = nets.slice(0, 50).map(({ name }) => displayText(name, 100))
    return `There is no net "${displayText(net, 100)}". There are: ${names.join(', ')}.`
  }
  const pins = nets.flatMap((each) => each.pins).filter((each) => each.reference === reference)
  if (pins.length === 0) return `There is no symbol "${displayText(reference, 64)}", or it has no pins.`
  const numbers = pins.slice(0, MOST_PINS).map(({ number }) => displayText(number, 20))
  return pin === undefined
    ? `${displayText(reference, 64)} is not on this net.`
    : `${displayText(reference, 64)} has no pin "${displayText(pin, 20)}". It has: ${numbers.join(', ')}.`
}

function answerOf(
  workspace: string,
  path: string,
  design: Design,
  found: readonly Net[],
): Answer<Static<typeof output>> {
  const values = valuesIn(design)
  const nets = found.slice(0, MOST_NETS).map(({ name, labels, isNoConnect, pins }) => ({
    name: displayText(name, 200),
    labels: labels.slice(0, 20).map((label) => displayText(label, 200)),
    isNoConnect,
    pins: pins.slice(0, MOST_PINS).map((pin) => ({
      reference: displayText(pin.reference, 64),
      pin: displayText(pin.number, 64),
      name: displayText(pin.name, 100),
      type: displayText(pin.type, 40),
      value: displayText(values.get(pin.symbolId) ?? '', 100),
    })),
  }))
  const faults = design.faults.map(
    ({ message, name, file }) => `${displayText(name, 100)} (${displayText(file, 200)}): ${message}`,
  )
  const notShown = found.length - nets.length
  const lines = nets.map(({ name, isNoConnect, pins }) => {
    const told = pins.map(
      (pin) =>
        `${pin.reference}.${pin.pin}${pin.name === '' || pin.name === '~' ? '' : ` ${pin.name}`} (${pin.type}${pin.value === '' ? '' : `, ${pin.value}`})`,
    )
    const alone = pins.length === 1 ? ', nothing else' : ''
    return `  ${name}: ${told.join(', ')}${alone}${isNoConnect ? ', marked as not connected' : ''}`
  })
  return {
    text: [
      `Nets of ${displayText(path, 200)} of ${workspace}. ${BOARD_TEXT_IS_DATA}`,
      ...(lines.length === 0 ? ['  none'] : lines),
      ...(notShown > 0 ? [`${notShown} more are not shown. Name a net, or a symbol and its pin.`] : []),
      ...faults.map((fault) => `Left out: ${fault}`),
    ].join('\n'),
    facts: { workspace, path, nets, notShown, faults },
  }
}

function valuesIn({ sheets }: Design): ReadonlyMap<string, string> {
  return new Map(
    sheets.flatMap(({ schematic }) =>
      schematic.items.flatMap((item) =>
        item.kind === 'symbol'
          ? [[item.id, item.properties.find(({ name }) => name === 'Value')?.value ?? ''] as const]
          : [],
      ),
    ),
  )
}

/** A schematic with the sheets in it, as people edit them at this moment. */
async function loadDesign(workspace: Workspace, root: string, signal: AbortSignal): Promise<Design> {
  const documents = new Map<string, Document>()
  const open = [root]
  const asked = new Set(open)
  let characters = 0
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    signal.throwIfAborted()
    const text = await textOf(workspace, path, path === root)
    if (text === undefined) continue
    characters += text.length
    if (characters > MOST_CHARACTERS) throw new ToolRefusal('This design is too large to be read here.')
    const document = parsed(text, path)
    documents.set(path, document)
    for (const item of readSchematic(document)?.items ?? []) {
      if (item.kind !== 'sheet') continue
      const below = beside(path, item.file)
      if (asked.has(below)) continue
      if (asked.size >= MOST_FILES) throw new ToolRefusal('This design has too many sheets to be read here.')
      asked.add(below)
      open.push(below)
    }
  }
  return readDesign(documents, root)
}

async function textOf(workspace: Workspace, path: string, isRoot: boolean): Promise<string | undefined> {
  try {
    return (await workspace.files.document(path)).text
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // Larger than what people edit together.
    if (error.code === 'file_not_text') return new TextDecoder().decode(await workspace.files.read(path))
    const isMissing = error.code === 'file_not_found' || error.code === 'path_refused'
    if (isMissing && !isRoot) return undefined
    throw error
  }
}

function parsed(text: string, path: string): Document {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof KicadSyntaxError)) throw error
    throw new ToolRefusal(`${displayText(path, 200)} cannot be read. ${displayText(error.message, 300)}`)
  }
}

/** As the design names it: relative to the file that it stands in. */
function beside(path: string, name: string): string {
  const parts = path.split('/').slice(0, -1)
  for (const part of name.replaceAll('\\', '/').split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
