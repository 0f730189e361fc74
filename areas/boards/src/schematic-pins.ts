import type { SchematicPin } from '@patchbay/contracts/boards'
import {
  definitionsOf,
  type LibrarySymbol,
  type PinOnSheet,
  type PlacedSymbol,
  pinsOf,
  placeOf,
  REFUSALS,
  type RefusalCode,
  type Schematic,
} from '@patchbay/kicad-format'

/** What a change can be refused for besides what the file says. */
const MORE_REFUSALS = {
  no_such_pin: 'The sheet has no symbol with this pin',
  net_needed: 'One pin alone needs the name of a net',
  nets_differ: 'The pins are on nets with different names: say which net is meant',
  not_connected: 'The pins would still not be connected',
  pin_is_connected: 'The pin is connected to something',
  too_tangled: 'The sheet has too many lines and labels in the same places to find its nets',
} as const

type AnyRefusal = RefusalCode | keyof typeof MORE_REFUSALS

class Refused extends Error {
  readonly code: AnyRefusal
  readonly id: string | undefined

  constructor(code: AnyRefusal, id: string | undefined) {
    super(
      code in REFUSALS ? REFUSALS[code as RefusalCode] : MORE_REFUSALS[code as keyof typeof MORE_REFUSALS],
    )
    this.code = code
    this.id = id
  }
}

export const refusal = {
  from: (code: AnyRefusal, id?: string): Error => new Refused(code, id),
  of(error: unknown): { readonly code: string; readonly message: string; readonly id?: string } | undefined {
    if (!(error instanceof Refused)) return undefined
    const { code, message, id } = error
    return { code, message, ...(id === undefined ? {} : { id }) }
  },
}

export interface FoundPin extends PinOnSheet {
  readonly symbol: PlacedSymbol
  /** Such as `U3.5`. */
  readonly name: string
}

export function symbolsCalled(schematic: Schematic, reference: string): PlacedSymbol[] {
  return schematic.items.filter(
    (item): item is PlacedSymbol =>
      item.kind === 'symbol' &&
      (item.instances.some((one) => one.reference === reference) ||
        item.properties.some(({ name, value }) => name === 'Reference' && value === reference)),
  )
}

export function findPin(schematic: Schematic, { reference, pin: number }: SchematicPin): FoundPin {
  const definitions = definitionsOf(schematic)
  for (const symbol of symbolsCalled(schematic, reference)) {
    const definition: LibrarySymbol | undefined = definitions(symbol)
    const found = definition && pinsOf(symbol, definition).find(({ pin }) => pin.number === number)
    if (found !== undefined) return { ...found, symbol, name: `${reference}.${number}` }
  }
  throw refusal.from('no_such_pin', `${reference}.${number}`)
}

/** The angle of a label at a pin, so that it leads away from the symbol. */
export function outwardAngle({ symbol, pin, at }: FoundPin): 0 | 90 | 180 | 270 {
  const radians = (pin.angle * Math.PI) / 180
  const inner = placeOf(symbol, {
    x: pin.at.x + Math.round(Math.cos(radians)) * 1_000,
    y: pin.at.y + Math.round(Math.sin(radians)) * 1_000,
  })
  if (inner.x !== at.x) return inner.x > at.x ? 180 : 0
  return inner.y > at.y ? 90 : 270
}
