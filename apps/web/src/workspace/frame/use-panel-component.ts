import { type ComponentType, useEffect, useState } from 'react'
import type { PanelProps } from '../panel-definition.ts'
import { PANELS } from '../panels/panels.ts'

export type PanelCode =
  | { readonly state: 'loading' | 'none' }
  | { readonly state: 'loaded'; readonly Panel: ComponentType<PanelProps> }
  | { readonly state: 'failed'; readonly retry: () => void }

const LOADING: PanelCode = { state: 'loading' }

/** The code of a kind of panel, fetched when it is first needed. `none` for a kind that is not built. */
export function usePanelComponent(kind: string): PanelCode {
  const definition = PANELS.find((panel) => panel.kind === kind)
  const [code, setCode] = useState(LOADING)
  useEffect(() => {
    let isCurrent = true
    const show = (next: PanelCode) => {
      if (isCurrent) setCode(next)
    }
    const load = () => {
      definition?.load().then(
        (Panel) => show({ state: 'loaded', Panel }),
        () => show({ state: 'failed', retry }),
      )
    }
    const retry = () => {
      show(LOADING)
      load()
    }
    load()
    return () => {
      isCurrent = false
    }
  }, [definition])
  return definition === undefined ? { state: 'none' } : code
}
