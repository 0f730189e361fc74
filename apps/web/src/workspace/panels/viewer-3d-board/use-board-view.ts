import { BOARD_VIEW, type Viewer3dBoardState } from '@patchbay/contracts/panels'
import { useState } from 'react'
import type { PanelState } from '../../panel-definition.ts'
import { firstLayers } from './board-layers.ts'

type View = Pick<
  Viewer3dBoardState,
  'selected' | 'net' | 'layers' | 'hiddenNets' | 'section' | 'compare' | 'sideBySide'
>
export type BoardView = ReturnType<typeof useBoardView>

interface Sources {
  readonly state: Viewer3dBoardState
  readonly setState: (patch: PanelState) => void
  /** Whether this person may show it to everybody. Otherwise they see it alone. */
  readonly mayChange: boolean
}

/** The view of everybody, or one's own where that cannot be theirs. */
export function useBoardView({ state, setState, mayChange }: Sources) {
  const { path } = state
  const [own, setOwn] = useState<{ readonly of: unknown; readonly patch: Partial<View> }>()
  const patch = !mayChange && own !== undefined && own.of === path ? own.patch : {}
  const view: View = { ...state, ...patch }
  const change = (next: Partial<Record<keyof View, unknown>>) => {
    if (mayChange)
      setState(Object.fromEntries(Object.entries(next).map(([key, value]) => [key, value ?? null])))
    else setOwn({ of: path, patch: { ...patch, ...(next as Partial<View>) } })
  }
  const layers = view.layers ?? firstLayers()
  const hiddenNets = view.hiddenNets ?? []
  return {
    view,
    layers,
    hiddenNets,
    change,
    setSection: (section: View['section']) => change({ section }),
    toggleLayer: (name: string, isShown: boolean) =>
      change({ layers: isShown ? [...layers, name] : layers.filter((one) => one !== name) }),
    showLayers: (names: readonly string[]) => change({ layers: names.slice(0, BOARD_VIEW.layers) }),
    resetLayers: () => change({ layers: undefined, hiddenNets: undefined }),
    isFull: hiddenNets.length >= BOARD_VIEW.hiddenNets,
    toggleNet(name: string) {
      const left = hiddenNets.filter((one) => one !== name)
      if (left.length < hiddenNets.length) change({ hiddenNets: left.length > 0 ? left : undefined })
      else if (hiddenNets.length < BOARD_VIEW.hiddenNets) change({ hiddenNets: [...hiddenNets, name] })
    },
  }
}
