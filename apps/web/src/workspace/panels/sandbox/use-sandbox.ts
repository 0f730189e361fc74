import { SANDBOX_LIMITS } from '@patchbay/contracts/limits'
import type { SandboxState } from '@patchbay/contracts/panels'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { LogEntry, PanelProps } from '../../panel-definition.ts'
import { createSandbox } from '../../sandbox/create-sandbox.ts'
import type { Sandbox } from '../../sandbox/sandbox-port.ts'
import { words } from './words.tsx'

const LONGEST_MS = 10_000
const MOST = 50

interface Revisions {
  /** The panel shows this revision once what it began for it is done. */
  reach(revision: number, done: Promise<void>): void
  /** Settles once the panel shows this revision, or a later one. */
  shows(revision: number): Promise<void>
}

function createRevisions(): Revisions {
  const waiting = new Set<() => void>()
  let shown = 0
  return {
    reach(revision, done) {
      void done.finally(() => {
        shown = Math.max(shown, revision)
        for (const look of waiting) look()
      })
    },
    shows(revision) {
      if (revision <= shown) return Promise.resolve()
      if (waiting.size >= MOST) return Promise.reject(new Error(words.waiting.tooMany))
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look)
          reject(new Error(words.waiting.late(revision)))
        }, LONGEST_MS)
        function look(): void {
          if (revision > shown) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
      })
    },
  }
}

const LEVELS = { log: 'info', info: 'info', warn: 'warn', error: 'error', debug: 'debug' } as const

/** A line of the frame's console as the system log has it. */
function logLine(
  { level, text }: { readonly level: string; readonly text: string },
  about: string,
): Omit<LogEntry, 'at'> {
  const known = level in LEVELS ? LEVELS[level as keyof typeof LEVELS] : 'info'
  return { source: 'console', level: known, text, about }
}

type Wanted = Pick<PanelProps, 'tabId' | 'title' | 'state' | 'revision' | 'host'>

export interface SandboxView {
  readonly isReady: boolean
  readonly reset: () => void
  /** Whether code was sent once, and what it drew is not in this page. */
  readonly isEmpty: boolean
  /** Why it is not there anymore, if it was. */
  readonly why: string | undefined
  /** Runs code here, in this page alone. */
  readonly run: (code: string) => void
  /** Why the last `run` failed. */
  readonly failure: string | undefined
}

/** The panel's frame: another one when it may reach other origins, or when it is reset. */
export function useSandbox(
  place: RefObject<HTMLElement | null>,
  { tabId, title, state, revision, host }: Wanted,
): SandboxView {
  const { connect = [], reset: stamp = 0, lastRun } = state as SandboxState
  // What is sent from now on runs here, or in another browser whose frame it is.
  const [isEmpty, setEmpty] = useState(lastRun !== undefined)
  const [why, setWhy] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const forget = useCallback(() => {
    setEmpty(false)
    setWhy(undefined)
    setFailure(undefined)
  }, [])
  const sandbox = useRef<Sandbox>(null)
  const about = useRef(title)
  const [revisions] = useState(createRevisions)
  const [isReady, setReady] = useState(false)
  // A list with the same origins is the same list: a new frame would lose what ran.
  const origins = connect.join(',')

  useEffect(() => {
    about.current = title
  }, [title])
  useEffect(() => {
    if (place.current === null) return undefined
    const made = createSandbox(place.current, {
      connect: origins === '' ? [] : origins.split(','),
      title: words.frame,
      onReady(ready) {
        setReady(ready)
        host.setReady(tabId, ready)
      },
      onEmptied(reason) {
        setEmpty(true)
        setWhy(reason)
      },
      onConsole: (line) => host.log.add(logLine(line, about.current)),
    })
    sandbox.current = made
    const takeBack = host.offer(tabId, {
      evaluate(code, timeoutMs) {
        forget()
        return made.evaluate(code, timeoutMs)
      },
      takePicture: () => made.takePicture(),
      shows: (wanted) => revisions.shows(wanted),
    })
    return () => {
      takeBack()
      sandbox.current = null
      made.dispose()
    }
  }, [place, tabId, host, origins, revisions, forget])

  // The stamp that was there when the panel opened has been obeyed already: the frame is new.
  const obeyed = useRef(stamp)
  useEffect(() => {
    const isDone = obeyed.current === stamp
    obeyed.current = stamp
    if (!isDone) forget()
    revisions.reach(revision, isDone ? Promise.resolve() : (sandbox.current?.reset() ?? Promise.resolve()))
  }, [stamp, revision, revisions, forget])

  return {
    isReady,
    reset() {
      forget()
      void sandbox.current?.reset()
    },
    isEmpty,
    why,
    run(code) {
      forget()
      void sandbox.current
        ?.evaluate(code, SANDBOX_LIMITS.maxTimeoutMs)
        .then(({ status, error }) =>
          setFailure(status === 'error' ? (error ?? words.lastRun.noReason) : undefined),
        )
    },
    failure,
  }
}
