import { findBuiltInOfKind } from '../src/catalog/built-in-panels.ts'

/** As if a panel did not do yet what it says, until the end of the test: all of the catalog do by now. */
export function planned(kind: string): Disposable {
  const panel = findBuiltInOfKind(kind)
  if (panel === undefined) throw new Error(`no panel of kind ${kind}`)
  const { availability } = panel
  Object.assign(panel, { availability: 'planned' })
  return {
    [Symbol.dispose]() {
      Object.assign(panel, { availability })
    },
  }
}
