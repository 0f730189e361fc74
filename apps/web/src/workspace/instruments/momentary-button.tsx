import { useId, useRef, useState } from 'react'
import button from '../../components/button.module.css'
import { classes } from '../../components/classes.ts'
import { ControlNote, type ControlState, useLetGo } from './control.tsx'
import { Instrument } from './instrument.tsx'
import styles from './momentary-button.module.css'
import { words } from './words.ts'

interface MomentaryButtonProps extends ControlState {
  label: string
  /** What stands on the button. */
  action: string
  /** `true` when it is pressed, `false` when it is let go: always both, in this order. */
  onSend: (isPressed: boolean) => void
}

/** Acts while it is held, by pointer, Space or Enter. However the hold ends, the release is sent. */
export function MomentaryButton({ label, action, onSend, ...state }: MomentaryButtonProps) {
  const noteId = useId()
  const keysId = useId()
  const [isHeld, setHeld] = useState(false)
  // Of this moment: two events before the next render must not send twice.
  const holding = useRef(false)
  const isDisabled = state.disabled !== undefined
  const press = () => {
    if (holding.current || isDisabled) return
    holding.current = true
    setHeld(true)
    onSend(true)
  }
  const letGo = () => {
    if (!holding.current) return
    holding.current = false
    setHeld(false)
    onSend(false)
  }
  useLetGo(letGo, isDisabled)
  return (
    <Instrument label={label}>
      <button
        type="button"
        disabled={isDisabled}
        aria-pressed={isHeld}
        aria-describedby={`${keysId} ${noteId}`}
        className={classes(button.button, styles.button)}
        data-variant={isHeld ? 'primary' : 'secondary'}
        data-disabled={isDisabled || undefined}
        data-pressed={isHeld || undefined}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          press()
        }}
        onPointerUp={letGo}
        onPointerCancel={letGo}
        onLostPointerCapture={letGo}
        onBlur={letGo}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && holding.current) {
            // Escape means what it did here, and not what is around.
            event.stopPropagation()
            letGo()
          }
          if (event.key !== ' ' && event.key !== 'Enter') return
          event.preventDefault()
          if (!event.repeat) press()
        }}
        onKeyUp={({ key }) => {
          if (key === ' ' || key === 'Enter') letGo()
        }}
      >
        {action}
        {isHeld && <span className={styles.held}>{words.momentary.held}</span>}
      </button>
      <p id={keysId} className={styles.keys}>
        {words.momentary.keys}
      </p>
      <ControlNote id={noteId} {...state} />
    </Instrument>
  )
}
