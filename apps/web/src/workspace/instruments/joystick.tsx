import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react'
import { classes } from '../../components/classes.ts'
import { ControlNote, type ControlState, useLetGo } from './control.tsx'
import { Instrument } from './instrument.tsx'
import styles from './joystick.module.css'
import { formatNumber } from './reading.ts'
import { words } from './words.ts'

/** From −1 to 1 each; right and up are positive. */
export interface Deflection {
  readonly x: number
  readonly y: number
}

interface JoystickProps extends ControlState {
  label: string
  /** While it is moved, at most as often as `everyMs` says; the center at once when it is let go. */
  onSend: (deflection: Deflection) => void
  everyMs?: number
}

const CENTER: Deflection = { x: 0, y: 0 }
const KEYS: Readonly<Record<string, Deflection>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
}

/** Two directions at once, by pointer or arrow keys. It springs back to the center, however the hold ends. */
export function Joystick({ label, onSend, everyMs = 50, ...state }: JoystickProps) {
  const noteId = useId()
  const keysId = useId()
  const [shown, setShown] = useState(CENTER)
  const held = useRef(new Set<string>())
  const pointer = useRef<number>(undefined)
  const send = useThrottled(onSend, everyMs)
  const isDisabled = state.disabled !== undefined

  const move = (to: Deflection) => {
    setShown(to)
    send(to)
  }
  const letGo = () => {
    pointer.current = undefined
    held.current.clear()
    move(CENTER)
  }
  useLetGo(letGo, isDisabled)

  const follow = (event: PointerEvent<HTMLElement>) => {
    if (event.pointerId !== pointer.current) return
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    move(
      withinCircle({
        x: ((event.clientX - left) / width) * 2 - 1,
        y: 1 - ((event.clientY - top) / height) * 2,
      }),
    )
  }
  const leave = ({ pointerId }: PointerEvent) => {
    if (pointerId === pointer.current) letGo()
  }
  const followKeys = (event: KeyboardEvent) => {
    event.preventDefault()
    const sum = [...held.current].reduce(
      ({ x, y }, key) => ({ x: x + (KEYS[key]?.x ?? 0), y: y + (KEYS[key]?.y ?? 0) }),
      CENTER,
    )
    const factor = event.shiftKey ? 0.5 : 1
    move(withinCircle({ x: sum.x * factor, y: sum.y * factor }))
  }
  return (
    <Instrument label={label}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application takes keys */}
      <div
        role="application"
        aria-roledescription={words.joystick.role}
        aria-label={label}
        aria-describedby={`${keysId} ${noteId}`}
        aria-disabled={isDisabled}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- and the focus
        tabIndex={0}
        className={classes(styles.joystick)}
        onPointerDown={(event) => {
          if (isDisabled || event.button !== 0 || pointer.current !== undefined) return
          event.currentTarget.setPointerCapture(event.pointerId)
          pointer.current = event.pointerId
          follow(event)
        }}
        onPointerMove={follow}
        onPointerUp={leave}
        onPointerCancel={leave}
        onLostPointerCapture={leave}
        onBlur={letGo}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && (pointer.current !== undefined || held.current.size > 0)) {
            // Escape means what it did here, and not what is around.
            event.stopPropagation()
            letGo()
          }
          if (isDisabled || !(event.key in KEYS)) return
          held.current.add(event.key)
          followKeys(event)
        }}
        onKeyUp={(event) => {
          if (held.current.delete(event.key)) followKeys(event)
        }}
      >
        <div aria-hidden="true" className={styles.field}>
          <div
            className={styles.knob}
            data-held={shown !== CENTER || undefined}
            style={{ insetInlineStart: `${50 + shown.x * 32}%`, insetBlockStart: `${50 - shown.y * 32}%` }}
          />
        </div>
      </div>
      <p className={styles.position}>
        {words.joystick.position(formatNumber(shown.x, 2), formatNumber(shown.y, 2))}
      </p>
      <p id={keysId} className={styles.keys}>
        {words.joystick.keys}
      </p>
      <ControlNote id={noteId} {...state} />
    </Instrument>
  )
}

function withinCircle({ x, y }: Deflection): Deflection {
  const length = Math.max(1, Math.hypot(x, y))
  const rounded = (value: number) => Math.round((value / length) * 100) / 100 || 0
  const to = { x: rounded(x), y: rounded(y) }
  return to.x === 0 && to.y === 0 ? CENTER : to
}

/** The newest at most every few milliseconds, none that equals the one before, and the center at once. */
function useThrottled(onSend: (value: Deflection) => void, everyMs: number): (value: Deflection) => void {
  const latest = useRef(onSend)
  useEffect(() => {
    latest.current = onSend
  })
  const sent = useRef<Deflection>(CENTER)
  const waiting = useRef<{ timer: number; value: Deflection }>(undefined)
  const lastAt = useRef(-Infinity)
  return (value) => {
    const pass = (next: Deflection) => {
      clearTimeout(waiting.current?.timer)
      waiting.current = undefined
      if (next.x === sent.current.x && next.y === sent.current.y) return
      sent.current = next
      lastAt.current = performance.now()
      latest.current(next)
    }
    const wait = lastAt.current + everyMs - performance.now()
    if (value === CENTER || wait <= 0) return pass(value)
    if (waiting.current !== undefined) waiting.current.value = value
    else {
      const timer = window.setTimeout(() => pass(waiting.current?.value ?? CENTER), wait)
      waiting.current = { timer, value }
    }
  }
}
