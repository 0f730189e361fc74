import { Problem, type ProblemCode } from '@patchbay/contracts/core'
import type { Refusal, RefusalCode } from '@patchbay/workspace-layout'
import type { LayoutChangeOutcome } from './layout-batch.ts'

const PROBLEM_OF: Readonly<Record<RefusalCode, ProblemCode>> = {
  no_such_leaf: 'panel_not_found',
  no_such_tab: 'panel_not_found',
  no_such_split: 'panel_not_found',
  layout_changed: 'layout_changed',
  singleton_exists: 'singleton_exists',
  too_many_tabs: 'limit_reached',
  too_many_leaves: 'limit_reached',
  too_deep: 'limit_reached',
  id_taken: 'invalid_request',
  sizes_mismatch: 'invalid_request',
  invalid_layout: 'invalid_request',
}

/** Why a layout was not changed, for whoever asked over HTTP. */
export function problemOf({ code, message, faults }: Refusal): Problem {
  const errors = faults?.map((fault) => ({
    in: 'body',
    pointer: `/layout${fault.path}`,
    message: fault.message,
  }))
  return new Problem(PROBLEM_OF[code], {
    detail: `${message}.`,
    ...(errors === undefined ? {} : { extensions: { errors } }),
  })
}

export type Made = Extract<LayoutChangeOutcome, { readonly outcome: 'changed' | 'unchanged' }>

export function requireMade(outcome: LayoutChangeOutcome): Made {
  switch (outcome.outcome) {
    case 'changed':
    case 'unchanged':
      return outcome
    case 'refused':
      throw problemOf(outcome.refusal)
    case 'outdated':
      throw new Problem('layout_changed', { extensions: { version: outcome.version } })
    case 'no_workspace':
      break
  }
  throw new Problem('workspace_not_found')
}
