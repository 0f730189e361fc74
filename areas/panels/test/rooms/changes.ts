import { randomUUID } from 'node:crypto'
import type { LayoutChange } from '@patchbay/contracts/panels'
import { findBuiltIn, findBuiltInOfKind } from '../../src/catalog/built-in-panels.ts'
import { FIRST_LEAF } from './start-control.ts'

export const RULES = { isSingleton: (panel: string) => findBuiltIn(panel)?.singleton ?? false }

export function addTab(
  title: string,
  kind = 'webview',
  id: string = randomUUID(),
): Extract<LayoutChange, { type: 'addTab' }> {
  const panel = findBuiltInOfKind(kind)?.id ?? ''
  return { type: 'addTab', tab: { id, panel, title }, at: { leafId: FIRST_LEAF } }
}
