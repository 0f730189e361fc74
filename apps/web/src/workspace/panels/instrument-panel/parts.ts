import { createElement, type ReactNode } from 'react'
import type { Bound } from './bindings.ts'

/** A part of a panel that may be empty: then there is no instrument for it. */
export type Part = Bound | undefined

export const isThere = (part: Part): part is Bound => part !== undefined

/** What every instrument of a quantity is told of it. */
export function quantityOf({ label, unit, precision }: Bound) {
  return { label, ...(unit !== undefined && { unit }), ...(precision !== undefined && { precision }) }
}

/** An instrument of one channel, made of its component. */
export function single<Props extends { of: Bound }>(Component: (props: Props) => ReactNode) {
  return (part: Part, options?: Omit<Props, 'of'>): ReactNode =>
    // What the options lack is the part alone.
    part === undefined ? null : createElement(Component, { ...options, of: part } as Props)
}
