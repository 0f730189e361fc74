import { useEffect, useState } from 'react'
import styles from './time-left.module.css'
import { words } from './words.tsx'

/** A screen reader is told at these, and not every second. */
const SPOKEN_MINUTES = [5, 1]

interface TimeLeftProps {
  /** On `performance.now()`. */
  endsAt: number
  onEnd: () => void
}

/** How long the link can be used. */
export function TimeLeft({ endsAt, onEnd }: TimeLeftProps) {
  const seconds = useSecondsUntil(endsAt)
  const isOver = seconds === 0
  useEffect(() => {
    if (!isOver) return undefined
    // The server decides, and may be a moment behind: asked again until it agrees.
    onEnd()
    const again = setInterval(onEnd, 5000)
    return () => clearInterval(again)
  }, [isOver, onEnd])
  const spoken = SPOKEN_MINUTES.findLast((minutes) => seconds <= minutes * 60)
  return (
    <p className={styles.left}>
      <span aria-hidden={isOver}>{inWords(seconds)}</span>
      <output className={styles.spoken}>
        {spoken !== undefined && !isOver && words.timeLeft.spoken(spoken)}
      </output>
    </p>
  )
}

function useSecondsUntil(endsAt: number): number {
  const secondsLeft = () => Math.max(0, Math.ceil((endsAt - performance.now()) / 1000))
  const [seconds, setSeconds] = useState(secondsLeft)
  useEffect(() => {
    const update = () => setSeconds(Math.max(0, Math.ceil((endsAt - performance.now()) / 1000)))
    update()
    const tick = setInterval(update, 1000)
    return () => clearInterval(tick)
  }, [endsAt])
  return seconds
}

function inWords(seconds: number): string {
  if (seconds === 0) return words.timeLeft.over
  if (seconds < 60) return words.timeLeft.seconds(seconds)
  return words.timeLeft.minutes(Math.round(seconds / 60))
}
