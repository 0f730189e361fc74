import { useEffect, useRef, useState } from 'react'
import { classes } from '../../components/classes.ts'
import { Spinner } from '../../components/spinner.tsx'
import { Instrument } from './instrument.tsx'
import styles from './orientation.module.css'
import type { Attitude, OrientationScene } from './orientation-scene.ts'
import { formatNumber, numbersOf, type Reading } from './reading.ts'
import { words } from './words.ts'

interface OrientationProps {
  label: string
  /** `roll`, `pitch` and `yaw` in degrees, or a quaternion `w`, `x`, `y`, `z`. */
  reading: Reading
}

const ANGLES = ['roll', 'pitch', 'yaw'] as const

/** How something lies in space, turned about z (up), then y, then x (forward). The numbers always stand beside it. */
export function Orientation({ label, reading }: OrientationProps) {
  const place = useRef<HTMLDivElement>(null)
  const [scene, setScene] = useState<OrientationScene | 'loading' | 'missing'>('loading')
  const attitude = attitudeOf(reading)
  useEffect(() => {
    let made: OrientationScene | undefined
    let isOver = false
    void import('./orientation-scene.ts').then(
      ({ makeOrientationScene }) => {
        if (isOver || place.current === null) return
        made = makeOrientationScene(place.current)
        setScene(made ?? 'missing')
      },
      () => setScene('missing'),
    )
    return () => {
      isOver = true
      made?.dispose()
    }
  }, [])
  const { roll, pitch, yaw } = attitude ?? { roll: 0, pitch: 0, yaw: 0 }
  useEffect(() => {
    if (typeof scene === 'object') scene.turn({ roll, pitch, yaw })
  }, [scene, roll, pitch, yaw])
  return (
    <Instrument label={label} reading={reading}>
      <div className={styles.orientation}>
        {scene === 'missing' ? (
          <p className={styles.missing}>{words.orientation.missing}</p>
        ) : (
          <div
            ref={place}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- what is drawn in it is no file
            role="img"
            aria-label={words.orientation.view(label)}
            className={classes(styles.view)}
            data-empty={attitude === undefined}
          >
            {scene === 'loading' && <Spinner label={words.orientation.loading} />}
          </div>
        )}
        <dl className={styles.angles}>
          {ANGLES.map((angle) => (
            <div key={angle}>
              <dt>{words.orientation[angle]}</dt>
              <dd>
                {attitude === undefined
                  ? words.dash
                  : `${formatNumber((attitude[angle] * 180) / Math.PI, 1)}°`}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Instrument>
  )
}

function attitudeOf(reading: Reading): Attitude | undefined {
  const { roll, pitch, yaw, w, x, y, z } = numbersOf(reading)
  if (roll !== undefined && pitch !== undefined && yaw !== undefined) {
    const radians = (degrees: number) => (degrees * Math.PI) / 180
    return { roll: radians(roll), pitch: radians(pitch), yaw: radians(yaw) }
  }
  if (w === undefined || x === undefined || y === undefined || z === undefined) return undefined
  const length = Math.hypot(w, x, y, z)
  if (length === 0) return undefined
  const [a, b, c, d] = [w / length, x / length, y / length, z / length]
  return {
    roll: Math.atan2(2 * (a * b + c * d), 1 - 2 * (b * b + c * c)),
    // Rounding may carry it beyond what an arcsine takes.
    pitch: Math.asin(Math.min(1, Math.max(-1, 2 * (a * c - d * b)))),
    yaw: Math.atan2(2 * (a * d + b * c), 1 - 2 * (c * c + d * d)),
  }
}
