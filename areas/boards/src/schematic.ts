import type { SchematicChanged, SchematicChangeRequest } from '@patchbay/contracts/boards'
import { Problem } from '@patchbay/contracts/core'
import {
  applyChange,
  type Document,
  KicadSyntaxError,
  type PlacedSymbol,
  parse,
  type Refusal,
  readLibrary,
  readSchematic,
  type Schematic,
  type SchematicChange,
  type TextEdit,
  textEdits,
  wiresToDrag,
} from '@patchbay/kicad-format'
import { connect, markNoConnect } from './schematic-connect.ts'
import { refusal, symbolsCalled } from './schematic-pins.ts'
import type { WantedSymbol } from './symbols.ts'

export interface ChangedText {
  readonly edits: readonly TextEdit[]
  readonly added: SchematicChanged['added']
}

interface Step {
  readonly steps: readonly SchematicChange[]
  readonly added?: readonly { readonly id: string; readonly reference: string | null }[]
}

/** The symbols that are added without a definition anywhere in the file, or in a change before them. */
export class MissingDefinitions extends Error {
  override readonly name = 'MissingDefinitions'
  readonly wanted: readonly WantedSymbol[]

  constructor(wanted: readonly WantedSymbol[]) {
    super('definitions of symbols are missing')
    this.wanted = wanted
  }
}

/** Throws `MissingDefinitions` where something has to be looked for before the changes can be made. */
export function requireDefinitions(text: string, requests: readonly SchematicChangeRequest[]): void {
  const known = new Set(readSchematic(read(text))?.library.map(({ id }) => id))
  const wanted = requests.flatMap((request, change): WantedSymbol[] => {
    if (request.type !== 'addSymbol' || known.has(request.libId)) return []
    known.add(request.libId)
    return request.definition === undefined ? [{ libId: request.libId, change }] : []
  })
  if (wanted.length > 0) throw new MissingDefinitions(wanted)
}

/** What the changes make of the text of a schematic, one after the other. Throws 422 for the first that makes no sense. */
export function changeSchematic(
  text: string,
  path: string,
  requests: readonly SchematicChangeRequest[],
  createId: () => string,
): ChangedText {
  const before = read(text)
  const added: SchematicChanged['added'] = []
  let document = before
  for (const [index, request] of requests.entries()) {
    const made = inWords(index, () => stepsOf(document, path, request, createId))
    for (const step of made.steps) {
      const outcome = applyChange(document, step)
      if (outcome.refused !== undefined) throw refused(index, outcome.refused)
      document = outcome.document
    }
    if (request.type === 'connect') inWords(index, () => connect.check(document, request))
    for (const one of made.added ?? []) added.push({ change: index, ...one })
  }
  return { edits: textEdits(before, document), added }
}

function read(text: string): Document {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof KicadSyntaxError)) throw error
    const { message, code, line, column } = error
    throw new Problem('board_file_refused', { detail: message, extensions: { fault: code, line, column } })
  }
}

function inWords<Result>(index: number, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    const why = refusal.of(error)
    throw why === undefined ? error : refused(index, why)
  }
}

function refused(
  change: number,
  { code, message, id }: Omit<Refusal, 'code'> & { readonly code: string },
): Problem {
  return new Problem('schematic_change_refused', {
    detail: `${message}.`,
    extensions: { change, refusal: code, ...(id === undefined ? {} : { item: id }) },
  })
}

function stepsOf(
  document: Document,
  path: string,
  request: SchematicChangeRequest,
  createId: () => string,
): Step {
  const schematic = readSchematic(document)
  if (schematic === undefined) throw refusal.from('not_a_schematic')
  const idsOf = (named: readonly string[]) => named.flatMap((one) => itemsCalled(schematic, one))
  const addedOne = (id: string) => [{ id, reference: null }]
  switch (request.type) {
    case 'move': {
      const ids = idsOf(request.ids)
      return { steps: [{ ...request, ids, ends: request.ends ?? wiresToDrag(schematic, ids) }] }
    }
    case 'rotate':
    case 'mirror':
    case 'delete':
      return { steps: [{ ...request, ids: idsOf(request.ids) }] }
    case 'addLine':
    case 'addBusEntry':
    case 'addMark':
    case 'addLabel':
    case 'addText': {
      const id = request.id ?? createId()
      return { steps: [{ ...request, id }], added: addedOne(id) }
    }
    case 'addSymbol':
      return addSymbol(schematic, path, request, createId)
    case 'addSheet': {
      const id = request.id ?? createId()
      const pins = request.pins.map((pin) => ({ ...pin, id: pin.id ?? createId() }))
      return { steps: [{ ...request, id, pins }], added: addedOne(id) }
    }
    case 'addSheetPin': {
      const id = request.id ?? createId()
      return { steps: [{ ...request, id }], added: addedOne(id) }
    }
    case 'setProperty':
    case 'setText':
      return { steps: idsOf([request.id]).map((id) => ({ ...request, id })) }
    case 'annotate': {
      const references = request.references.flatMap((one) => idsOf([one.id]).map((id) => ({ ...one, id })))
      return { steps: [{ ...request, references }] }
    }
    case 'connect':
      return { steps: connect.steps(document, request, createId) }
    case 'markNoConnect':
      return { steps: markNoConnect(document, request, createId) }
    default:
      request satisfies never
      throw new TypeError('not a change of a known kind')
  }
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** By its id, or by what a symbol is called: all its units. */
function itemsCalled(schematic: Schematic, name: string): string[] {
  if (ID.test(name)) return [name]
  const symbols = symbolsCalled(schematic, name)
  if (symbols.length === 0) throw refusal.from('no_such_item', name)
  return symbols.map(({ id }) => id)
}

type AddSymbol = Extract<SchematicChangeRequest, { type: 'addSymbol' }>

/** With what the file says of its other symbols, where the request says nothing. */
function addSymbol(schematic: Schematic, path: string, request: AddSymbol, createId: () => string): Step {
  const { id = createId(), unit = 1, pinIds = {}, reference, instances: given, ...rest } = request
  const symbols = schematic.items.filter((item) => item.kind === 'symbol')
  const next = freeReferences(symbols, prefixOf(schematic, request))
  const instances =
    given ??
    placesOf(schematic, symbols, path).map((place, index) => ({
      ...place,
      reference: (index === 0 ? reference : undefined) ?? next(),
    }))
  return {
    steps: [{ ...rest, id, unit, pinIds, instances }],
    added: [{ id, reference: instances[0]?.reference ?? null }],
  }
}

function placesOf(schematic: Schematic, symbols: readonly PlacedSymbol[], file: string) {
  const places = new Map(
    symbols
      .flatMap(({ instances }) => instances)
      .map(({ project, path }) => [JSON.stringify([project, path]), { project, path }]),
  )
  if (places.size > 0) return [...places.values()]
  const stem = file.slice(file.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')
  return [{ project: stem, path: `/${schematic.id}` }]
}

/** What references of this symbol begin with. A definition that cannot be read is refused afterwards. */
function prefixOf(schematic: Schematic, { libId, definition }: AddSymbol): string {
  const known = schematic.library.find(({ id }) => id === libId) ?? firstIn(definition)
  const value = known?.properties.find(({ name }) => name === 'Reference')?.value ?? ''
  return value === '' ? 'U' : value
}

function firstIn(definition: string | undefined) {
  if (definition === undefined) return undefined
  try {
    return readLibrary(parse(`(kicad_symbol_lib ${definition}\n)`))?.[0]
  } catch {
    return undefined
  }
}

function freeReferences(symbols: readonly PlacedSymbol[], prefix: string): () => string {
  const taken = new Set(
    symbols.flatMap(({ instances, properties }) => [
      ...instances.map((one) => one.reference),
      ...properties.filter(({ name }) => name === 'Reference').map(({ value }) => value),
    ]),
  )
  return () => {
    // KiCad fills the numbers of power symbols with zeros: #PWR01.
    const named = (number: number) =>
      `${prefix}${prefix.startsWith('#') ? String(number).padStart(2, '0') : number}`
    let number = 1
    while (taken.has(named(number))) number += 1
    taken.add(named(number))
    return named(number)
  }
}
