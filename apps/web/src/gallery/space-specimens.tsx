import type { MapThing } from '../workspace/instruments/map-drawing.ts'
import { Orientation } from '../workspace/instruments/orientation.tsx'
import { PlanMap } from '../workspace/instruments/plan-map.tsx'
import { NO_READING, type ReadingState } from '../workspace/instruments/reading.ts'
import { Columns, Specimen } from './specimen.tsx'

const AT = new Date(2026, 4, 12, 14, 3, 7).getTime()
const ANGLES = { roll: 15, pitch: -20, yaw: 40 }
/** A quarter turn about z. */
const QUATERNION = { w: Math.SQRT1_2, x: 0, y: 0, z: Math.SQRT1_2 }
const THINGS: readonly MapThing[] = [
  { kind: 'anchor', id: 'a', name: 'Anchor A', x: 0, y: 0 },
  { kind: 'anchor', id: 'b', name: 'Anchor B', x: 6, y: 0 },
  { kind: 'anchor', id: 'c', name: 'Anchor C', x: 3, y: 4.5 },
  {
    kind: 'track',
    id: 'rover-track',
    name: 'Rover’s track',
    points: Array.from({ length: 40 }, (_, index) => [
      0.6 + index * 0.09,
      1 + Math.sin(index / 6) * 0.8 + index * 0.03,
    ]),
  },
  { kind: 'point', id: 'rover', name: 'Rover', x: 4.11, y: 2.34 },
]

export function SpaceSpecimens({ state }: { state: ReadingState }) {
  const of = (value: Readonly<Record<string, number>>) =>
    state === 'none' ? NO_READING : { value, at: AT, state }
  return (
    <>
      <Specimen name="Orientation" use="How something lies. Its numbers stand below, also without WebGL.">
        <Columns>
          <Orientation label="Rover" reading={of(ANGLES)} />
          <Orientation label="Arm" reading={of(QUATERNION)} />
        </Columns>
      </Specimen>
      <Specimen name="Plan map" use="Where things are, from above.">
        <PlanMap label="Test field" things={state === 'none' ? [] : THINGS} reading={{ at: AT, state }} />
      </Specimen>
    </>
  )
}
