import { type RefObject, useEffect, useRef, useState } from 'react'
import { makeStage, type Stage, type StageSide } from './stage.ts'

export interface StageOf {
  /** Where it is put. */
  readonly place: RefObject<HTMLDivElement | null>
  readonly stage: RefObject<Stage | null>
  /** `missing`: the browser has no WebGL. `lost`: it had, and ended it. */
  readonly graphics: 'fine' | 'missing' | 'lost'
}

/** A stage for as long as its panel is there. Effects that need it come after this one. */
export function useStage(firstSide: StageSide = 'corner'): StageOf {
  const place = useRef<HTMLDivElement>(null)
  const stage = useRef<Stage>(null)
  const [graphics, setGraphics] = useState<StageOf['graphics']>('fine')
  useEffect(() => {
    if (place.current === null) return undefined
    const made = makeStage(place.current, () => setGraphics('lost'), firstSide)
    if (made === undefined) setGraphics('missing')
    stage.current = made ?? null
    return () => {
      stage.current = null
      made?.dispose()
    }
  }, [firstSide])
  return { place, stage, graphics }
}
