import type { Document } from '../tree/node.ts'

export const REFUSALS = {
  not_a_schematic: 'This file is not a schematic',
  no_such_item: 'The sheet does not contain this item',
  no_such_property: 'The item does not have this property',
  not_for_this: 'This cannot be done with this kind of item',
  id_taken: 'Something else in the sheet has this id',
  bad_id: 'An id is a UUID in lower case',
  bad_place: 'A place is two whole numbers of nanometers, not farther away than KiCad reaches',
  bad_angle: 'An angle is 0, 90, 180 or 270 degrees',
  bad_text: 'The text is empty, too long, or has characters that no text has',
  bad_reference: 'A reference is letters and a number, such as R12',
  bad_definition: 'This is not the definition of a symbol',
  no_definition: 'The sheet has no definition of this symbol, and none was given',
  no_such_unit: 'The symbol does not have this unit',
  no_length: 'The two ends are at the same place',
  property_needed: 'Every item of this kind has this property',
  reference_is_annotated: 'A reference is set for each place of the sheet in the hierarchy',
  too_many_items: 'The change is about too many items',
} as const

export type RefusalCode = keyof typeof REFUSALS

/** Why a change cannot be made. Nothing has changed. */
export interface Refusal {
  readonly code: RefusalCode
  readonly message: string
  /** The id of the item, where it is about one. */
  readonly id?: string
}

export type Outcome =
  | { readonly document: Document; readonly refused?: never }
  | { readonly refused: Refusal; readonly document?: never }

/** Thrown inside of `applyChange` alone, which makes an outcome of it. */
export class Refused extends Error {
  readonly refusal: Refusal

  constructor(code: RefusalCode, id?: string) {
    super(REFUSALS[code])
    this.refusal = { code, message: REFUSALS[code], ...(id !== undefined && { id }) }
  }
}
