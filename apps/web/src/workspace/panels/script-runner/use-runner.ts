import { type RefObject, useEffect, useRef, useState } from 'react'
import type { LogEntry, LogStore } from '../../panel-definition.ts'
import { createSandbox } from '../../sandbox/create-sandbox.ts'
import type { Sandbox } from '../../sandbox/sandbox-port.ts'
import { type OutputLine, toneOf, withLine, withResult } from './output.ts'
import { words } from './words.ts'

export interface Runner {
  readonly lines: readonly OutputLine[]
  readonly isReady: boolean
  readonly isRunning: boolean
  readonly run: (code: string, timeoutMs: number) => void
  readonly stop: () => void
  readonly clear: () => void
}

/** Runs scripts in an isolated frame below the element, and collects what they print. */
export function useRunner(element: RefObject<HTMLElement | null>, title: string, log: LogStore): Runner {
  const sandbox = useRef<Sandbox>(null)
  const [isReady, setReady] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const [lines, setLines] = useState<readonly OutputLine[]>([])
  const about = useRef(title)
  useEffect(() => {
    about.current = title
  }, [title])
  useEffect(() => {
    if (element.current === null) return undefined
    const made = createSandbox(element.current, {
      connect: [],
      title: words.frame,
      onReady: setReady,
      onConsole({ level, text }) {
        setLines((before) => withLine(before, toneOf(level), text))
        log.add({ source: 'console', level: logLevel(level), text, about: about.current })
      },
    })
    sandbox.current = made
    return () => {
      sandbox.current = null
      made.dispose()
    }
  }, [element, log])
  return {
    lines,
    isReady,
    isRunning,
    run(code, timeoutMs) {
      const target = sandbox.current
      // A second run would wait for the first, which nobody sees.
      if (target === null || isRunning) return
      setRunning(true)
      setLines([])
      target
        .evaluate(code, timeoutMs)
        .then(
          (result) => setLines((before) => withResult(before, result)),
          () => setLines((before) => withLine(before, 'error', words.output.notRun)),
        )
        .finally(() => setRunning(false))
    },
    stop: () => void sandbox.current?.reset(),
    clear: () => setLines([]),
  }
}

function logLevel(level: string): LogEntry['level'] {
  return level === 'debug' || level === 'warn' || level === 'error' ? level : 'info'
}
