import { MODEL_PARTS, type Viewer3dState } from '@patchbay/contracts/panels'
import { useState } from 'react'
import type { PanelState } from '../../panel-definition.ts'
import type { Section } from '../stage/section-plane.ts'
import type { PartTree } from './part-tree.ts'

/** What of a model is shown. */
export interface ModelView {
  readonly hidden: readonly string[]
  readonly isolated: string | undefined
  readonly section: Section | undefined
}

interface Sources {
  readonly state: Viewer3dState
  readonly setState: (patch: PanelState) => void
  /** Whether this person may show it to everybody. Otherwise they see it alone. */
  readonly mayChange: boolean
  /** A file of this computer, which has nothing to do with the panel's state. */
  readonly local: File | undefined
  readonly tree: PartTree | undefined
}

/** The view of everybody, or one's own where that cannot be theirs. */
export function useModelView({ state, setState, mayChange, local, tree }: Sources) {
  const { path, url, hidden = [], isolated, section } = state
  const subject = local ?? path ?? url
  const [own, setOwn] = useState<{ readonly of: unknown; readonly patch: Partial<ModelView> }>()
  const shared: ModelView =
    local === undefined
      ? { hidden, isolated, section }
      : { hidden: [], isolated: undefined, section: undefined }
  const patch = own !== undefined && own.of === subject ? own.patch : {}
  const isShared = mayChange && local === undefined
  const view: ModelView = isShared ? shared : { ...shared, ...patch }

  const change = (next: Partial<ModelView>) => {
    if (!isShared) return setOwn({ of: subject, patch: { ...patch, ...next } })
    return setState({
      ...('hidden' in next && { hidden: next.hidden?.length === 0 ? null : next.hidden }),
      ...('isolated' in next && { isolated: next.isolated ?? null }),
      ...('section' in next && { section: next.section ?? null }),
    })
  }
  // Those of another model that was here before are forgotten.
  const known = view.hidden.filter((name) => tree?.byName.has(name) === true)
  return {
    view: { ...view, hidden: known },
    setSection: (next: Section | undefined) => change({ section: next }),
    isFull: known.length >= MODEL_PARTS.hidden,
    toggle(name: string) {
      if (known.includes(name)) return change({ hidden: known.filter((other) => other !== name) })
      return known.length < MODEL_PARTS.hidden ? change({ hidden: [...known, name] }) : undefined
    },
    isolate(name: string) {
      return change({ isolated: view.isolated === name ? undefined : name })
    },
    showAll: () => change({ hidden: [], isolated: undefined }),
  }
}
