import { useRef } from 'react'
import { Notice } from '../../../components/notice.tsx'
import styles from './stage.module.css'
import type { Stage } from './stage.ts'
import type { StageOf } from './use-stage.ts'
import { words } from './words.ts'

const STEP = Math.PI / 24

/** What each key does to the view. */
const KEYS: Readonly<Record<string, (stage: Stage) => void>> = {
  ArrowLeft: (stage) => stage.turn(-STEP, 0),
  ArrowRight: (stage) => stage.turn(STEP, 0),
  ArrowUp: (stage) => stage.turn(0, -STEP),
  ArrowDown: (stage) => stage.turn(0, STEP),
  '+': (stage) => stage.approach(0.9),
  '=': (stage) => stage.approach(0.9),
  '-': (stage) => stage.approach(1 / 0.9),
  f: (stage) => stage.fit(),
  r: (stage) => stage.reset(),
}
/** A press that moves farther turns the model. */
const STILL_PIXELS = 4

interface StageViewProps {
  of: StageOf
  title: string
  helpId: string
  /** Whether the next press takes a point. Enter does so too, from the middle of the view. */
  isPicking: boolean
  /** In pixels of the view; its middle without a place. */
  pick: (at?: { readonly x: number; readonly y: number }) => void
  /** Answers whether there was anything to clear. */
  clear: () => boolean
  /** Beside those of every stage. */
  keys?: Readonly<Record<string, (stage: Stage) => void>>
}

/** The stage itself, with what pointer and keys do to it. */
export function StageView({ of, title, helpId, isPicking, pick, clear, keys = {} }: StageViewProps) {
  const { place, stage } = of
  const pressed = useRef<{ readonly x: number; readonly y: number }>(undefined)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application takes keys
    <div
      ref={place}
      role="application"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- and the focus
      tabIndex={0}
      aria-label={words.view(title)}
      aria-describedby={helpId}
      className={styles.stage}
      data-picking={isPicking || undefined}
      onPointerDown={({ clientX: x, clientY: y, isPrimary, button }) => {
        pressed.current = isPrimary && button === 0 ? { x, y } : undefined
      }}
      onPointerUp={({ clientX, clientY, currentTarget }) => {
        const from = pressed.current
        pressed.current = undefined
        if (from === undefined || Math.hypot(clientX - from.x, clientY - from.y) > STILL_PIXELS) return
        const { left, top } = currentTarget.getBoundingClientRect()
        pick({ x: clientX - left, y: clientY - top })
      }}
      onKeyDown={(event) => {
        const { key, ctrlKey, metaKey, altKey } = event
        // Shortcuts of the page and the browser are not ours.
        const act = ctrlKey || metaKey || altKey ? undefined : (keys[key] ?? KEYS[key])
        if (key === 'Enter' && isPicking) pick()
        else if (key === 'Escape') {
          if (!clear()) return
          // Escape means what it did here, and not what is around.
          event.stopPropagation()
        } else if (act === undefined || stage.current === null) return
        else act(stage.current)
        event.preventDefault()
      }}
    />
  )
}

/** Why nothing is drawn. */
export function GraphicsNotice({ of: { graphics } }: { of: StageOf }) {
  if (graphics === 'fine') return null
  const { title, text } = graphics === 'missing' ? words.noGraphics : words.graphicsLost
  return (
    <Notice title={title} tone="danger" isLive>
      {text}
    </Notice>
  )
}
