import { useEffect, useRef, useState } from 'react'
import { disabledReason } from '../../devices/device-store.ts'
import { Actions } from '../../instruments/actions.tsx'
import type { Bound } from './bindings.ts'
import { useControl, useDevicePanel } from './panel-context.ts'
import { words } from './words.ts'

const SWEEP_MS = 2_000

/** Goes from one end of a range to the other and back, as long as somebody looks at it. */
export function sweep(part: Bound | undefined) {
  return part?.range === undefined ? null : <Sweep of={part} from={part.range.min} to={part.range.max} />
}

function Sweep({ of, from, to }: { of: Bound; from: number; to: number }) {
  const { isShown } = useDevicePanel()
  const { state, send } = useControl(of)
  const [isRunning, setRunning] = useState(false)
  const latest = useRef(send)
  useEffect(() => {
    latest.current = send
  })
  const hindered = state.disabled !== undefined || state.failed !== undefined || !isShown
  if (isRunning && hindered) setRunning(false)
  useEffect(() => {
    if (!isRunning) return undefined
    let isUp = true
    const turn = () => {
      latest.current(isUp ? to : from)
      isUp = !isUp
    }
    turn()
    const timer = setInterval(turn, SWEEP_MS)
    return () => clearInterval(timer)
  }, [isRunning, from, to])
  return (
    <Actions
      label={words.sweep.label}
      actions={[
        {
          id: 'sweep',
          name: isRunning ? words.sweep.end : words.sweep.begin,
          isStop: isRunning,
          onPress: () => setRunning(!isRunning),
          ...state,
        },
      ]}
    />
  )
}

const SEQUENCE_MS = 1_000

/** Turns things on one after the other: what starts at once would trip the breaker. */
export function inSequence(parts: readonly Bound[]) {
  return parts.length < 2 ? null : <Sequence of={parts} />
}

function Sequence({ of }: { of: readonly Bound[] }) {
  const { store, snapshot, mayChange } = useDevicePanel()
  const [next, setNext] = useState<number>()
  const hindered = of
    .map(({ address }) => disabledReason(snapshot, address, mayChange))
    .find((why) => why !== undefined)
  const isOver = next !== undefined && (next >= of.length || hindered !== undefined)
  if (isOver) setNext(undefined)
  useEffect(() => {
    const part = next === undefined ? undefined : of[next]
    if (next === undefined || part === undefined) return undefined
    store.send(part.address, true)
    const timer = setTimeout(() => setNext(next + 1), SEQUENCE_MS)
    return () => clearTimeout(timer)
  }, [next, of, store])
  return (
    <Actions
      label={words.sequence.label}
      actions={[
        {
          id: 'sequence',
          name: next === undefined ? words.sequence.begin : words.sequence.end,
          isStop: next !== undefined,
          onPress: () => setNext(next === undefined ? 0 : undefined),
          ...(hindered !== undefined && { disabled: hindered }),
        },
      ]}
    />
  )
}
