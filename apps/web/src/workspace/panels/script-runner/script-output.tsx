import { useEffect, useRef } from 'react'
import type { OutputLine } from './output.ts'
import styles from './script-runner.module.css'
import { words } from './words.ts'

/** What a script printed and what came of it, with the latest in view. */
export function ScriptOutput({ lines }: { lines: readonly OutputLine[] }) {
  const box = useRef<HTMLDivElement>(null)
  const seen = useRef<number>(undefined)
  const latest = lines.at(-1)?.id
  useEffect(() => {
    // Only for a new line: whoever has scrolled up would be taken down by anything else that changes.
    if (latest === seen.current) return
    seen.current = latest
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [latest])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
    <div ref={box} role="log" aria-label={words.output.label} tabIndex={0} className={styles.output}>
      {lines.length === 0 && <p className={styles.nothing}>{words.output.none}</p>}
      {lines.map(({ id, tone, text }) => (
        <pre key={id} data-tone={tone} className={styles.line}>
          {text}
        </pre>
      ))}
    </div>
  )
}
