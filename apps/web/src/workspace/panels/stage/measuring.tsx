import { Crosshair, X } from 'lucide-react'
import type { Vector3 } from 'three'
import { IconButton } from '../../../components/icon-button.tsx'
import { distanceInWords, type ModelFacts } from './measure-model.ts'
import styles from './stage.module.css'
import { words } from './words.ts'

interface MeasuringProps {
  /** Of the view: none, the first, or both. */
  points: readonly Vector3[]
  facts: Pick<ModelFacts, 'isZUp' | 'isUnitAssumed'>
  clear: () => void
}

/** What lies between two points, over the view. */
export function Measuring({ points, facts, clear }: MeasuringProps) {
  const [from, to] = points
  return (
    <>
      <Crosshair aria-hidden className={styles.crosshair} />
      <div className={styles.measured}>
        <output>
          {from === undefined
            ? words.measure.first
            : to === undefined
              ? words.measure.second
              : distanceInWords(from, to, facts.isZUp)}
          {to !== undefined && facts.isUnitAssumed && (
            <span className={styles.assumed}>{words.measure.assumed}</span>
          )}
        </output>
        {from !== undefined && (
          <IconButton label={words.measure.clear} size="sm" onPress={clear}>
            <X aria-hidden />
          </IconButton>
        )}
      </div>
    </>
  )
}
