import { CircleAlert, LoaderCircle, Lock } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import styles from './instrument.module.css'
import { words } from './words.ts'

/** How it is with what a control sends. */
export interface ControlState {
  /** Why nothing can be sent now, in words for people. */
  readonly disabled?: string | undefined
  /** Something was sent, and nobody has answered yet. */
  readonly pending?: boolean | undefined
  /** Why what was last sent did not arrive. */
  readonly failed?: string | undefined
}

interface ControlNoteProps extends ControlState {
  /** The control is described by this. */
  id: string
  /** What was asked for and is not reported yet. */
  difference?: string | undefined
}

/** Below a control: why it cannot be used, that it is sending, or what went wrong. */
export function ControlNote({ id, disabled, pending = false, failed, difference }: ControlNoteProps) {
  const [kind, Icon, text] =
    disabled !== undefined
      ? (['disabled', Lock, words.control.disabled(disabled)] as const)
      : pending
        ? (['pending', LoaderCircle, words.control.pending] as const)
        : failed !== undefined
          ? (['failed', CircleAlert, words.control.failed(failed)] as const)
          : (['quiet', undefined, undefined] as const)
  return (
    // Always there: a screen reader speaks only what changes in an element that it knows.
    <output id={id} className={styles.notes}>
      {text !== undefined && (
        <span className={styles.note} data-kind={kind}>
          <Icon aria-hidden />
          {text}
        </span>
      )}
      {difference !== undefined && <span className={styles.note}>{difference}</span>}
    </output>
  )
}

/**
 * What a person asked for, until it is reported or has failed: a control that jumped back meanwhile would look as if
 * nothing had been asked.
 */
export function useAsked<T extends string | number | boolean>(
  reported: T | undefined,
  failed: string | undefined,
): [asked: T | undefined, ask: (value: T) => void] {
  const [asked, setAsked] = useState<{ readonly value: T; readonly failed: string | undefined }>()
  const hasFailed = failed !== undefined && asked?.failed !== failed
  const isOver = asked !== undefined && (asked.value === reported || hasFailed)
  if (isOver) setAsked(undefined)
  // The failure of an earlier try is gone: the next may fail for the same reason.
  else if (asked?.failed !== undefined && failed === undefined) setAsked({ ...asked, failed })
  return [isOver ? undefined : asked?.value, (value) => setAsked({ value, failed })]
}

/** In words, while what is asked for and what is reported are not the same. */
export function differenceOf(asked: string | undefined, reported: string | undefined): string | undefined {
  if (asked === undefined || asked === reported) return undefined
  return reported === undefined ? words.control.askedOnly(asked) : words.control.asked(asked, reported)
}

/**
 * Lets go of what is held when nobody can be holding it any longer: the window is left, the page hidden, the control
 * disabled or gone. A motor would otherwise run on.
 */
export function useLetGo(letGo: () => void, isDisabled: boolean): void {
  const latest = useRef(letGo)
  useEffect(() => {
    latest.current = letGo
  })
  useEffect(() => {
    if (isDisabled) latest.current()
  }, [isDisabled])
  useEffect(() => {
    const leave = () => latest.current()
    const hide = () => {
      if (document.visibilityState === 'hidden') latest.current()
    }
    addEventListener('blur', leave)
    addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', hide)
    return () => {
      removeEventListener('blur', leave)
      removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', hide)
      leave()
    }
  }, [])
}
