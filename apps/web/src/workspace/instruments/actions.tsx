import { useId } from 'react'
import { Button } from '../../components/button.tsx'
import { ControlNote, type ControlState } from './control.tsx'
import styles from './instrument.module.css'
import { Instrument } from './instrument.tsx'

interface Action extends ControlState {
  readonly id: string
  readonly name: string
  readonly onPress: () => void
  /** Ends something, and is looked for in a hurry. */
  readonly isStop?: boolean
}

/** Buttons for what is done once, such as start and stop. What hinders several of them is said once. */
export function Actions({ label, actions }: { label: string; actions: readonly Action[] }) {
  const noteId = useId()
  const states = actions.map(({ disabled, pending, failed }) => ({ disabled, pending, failed }))
  const pending = states.find((state) => state.pending === true)
  const failed = states.find((state) => state.failed !== undefined)
  const isNoneThere = states.every(({ disabled }) => disabled !== undefined)
  return (
    <Instrument label={label}>
      <div className={styles.actions}>
        {actions.map(({ id, name, onPress, disabled, isStop = false }) => (
          <Button
            key={id}
            variant={isStop ? 'danger' : 'secondary'}
            isDisabled={disabled !== undefined}
            aria-describedby={noteId}
            onPress={onPress}
          >
            {name}
          </Button>
        ))}
      </div>
      <ControlNote id={noteId} {...(isNoneThere ? states[0] : (pending ?? failed ?? restOf(states)))} />
    </Instrument>
  )
}

/** Why some cannot be pressed while others can. */
function restOf(states: readonly ControlState[]): ControlState {
  return states.find(({ disabled }) => disabled !== undefined) ?? {}
}
