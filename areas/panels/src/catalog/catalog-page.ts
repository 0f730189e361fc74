import { Problem } from '@patchbay/contracts/core'

/** After the panel of an owner that a page ended with. */
export interface PanelPosition {
  readonly name: string
  readonly uuid: string
}

/** Where the next page begins: so many of ours in, or after one of the owner's. */
export type CatalogPosition =
  | { readonly ours: number; readonly after?: never }
  | { readonly ours?: never; readonly after: PanelPosition }

const OURS = /^b([0-9]{1,4})$/
const AFTER = /^o([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) ([^\0]{1,120})$/u

export function catalogCursor({ ours, after }: CatalogPosition): string {
  const text = after === undefined ? `b${ours}` : `o${after.uuid} ${after.name}`
  return Buffer.from(text).toString('base64url')
}

export function readCatalogCursor(cursor: string): CatalogPosition {
  const text = Buffer.from(cursor, 'base64url').toString()
  const ours = OURS.exec(text)?.[1]
  if (ours !== undefined) return { ours: Number(ours) }
  const [, uuid, name] = AFTER.exec(text) ?? []
  if (uuid === undefined || name === undefined)
    throw new Problem('invalid_request', { detail: 'The cursor is not one that a page gave.' })
  return { after: { uuid, name } }
}
