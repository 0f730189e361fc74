import type { Viewer3dBoardState } from '@patchbay/contracts/panels'
import { useEffect, useMemo } from 'react'
import stageStyles from '../stage/stage.module.css'
import { linkStages, type Stage } from '../stage/stage.ts'
import { StageView } from '../stage/stage-view.tsx'
import { type StageOf, useStage } from '../stage/use-stage.ts'
import styles from './board.module.css'
import { BoardObject } from './board-object.ts'
import type { BoardChanges } from './drawing/compare-boards.ts'
import type { BoardScene } from './drawing/draw-board.ts'
import { hiddenIn, namesAt, type PickedNames, placesIn } from './pick-board.ts'
import { words } from './words.ts'

interface BeforeViewProps {
  title: string
  helpId: string
  scene: BoardScene
  changes: BoardChanges
  view: Pick<Viewer3dBoardState, 'selected' | 'net' | 'section'>
  layers: readonly string[]
  hiddenNets: readonly string[]
  /** The one of the board as it is now. */
  beside: StageOf
  keys: Readonly<Record<string, (stage: Stage) => void>>
  pick: (names: PickedNames) => void
  clear: () => boolean
}

const LOOK = { isWired: false, hasGrid: false, hasAxes: false }

/** The version before, beside the board as it is now: seen from the same place, with what is gone in red. */
export function BeforeView(props: BeforeViewProps) {
  const { title, helpId, scene, changes, view, layers, hiddenNets, beside, keys, pick, clear } = props
  const of = useStage('table')
  const { stage } = of
  const model = useMemo(() => new BoardObject(scene), [scene])
  useEffect(() => {
    stage.current?.setLook(LOOK)
    if (stage.current === null || beside.stage.current === null) return undefined
    return linkStages(beside.stage.current, stage.current)
  }, [stage, beside.stage])
  useEffect(() => {
    stage.current?.show({ object: model.object, core: model.core, isZUp: true, isFlat: true }, true)
  }, [stage, model])
  const look = JSON.stringify([layers, hiddenNets])
  const { selected, net } = view
  useEffect(() => {
    const [shownLayers, hidden] = JSON.parse(look) as [string[], string[]]
    model.compare({ ...changes, added: [] })
    const parts = model.apply({
      layers: new Set(shownLayers),
      hiddenNets: hiddenIn(scene, hidden),
      ...placesIn(scene, { selected, net }),
    })
    stage.current?.setParts({ ...parts, isolated: undefined })
  }, [stage, model, scene, changes, look, selected, net])
  useEffect(() => stage.current?.setSection(view.section), [stage, view.section])
  return (
    <div className={stageStyles.zone}>
      <StageView
        of={of}
        title={words.changes.beforeOf(title)}
        helpId={helpId}
        isPicking
        pick={(at) => pick(namesAt(scene, model, stage.current?.pick(at), new Set(layers)))}
        clear={clear}
        keys={keys}
      />
      <span className={styles.caption}>{words.changes.before}</span>
    </div>
  )
}
