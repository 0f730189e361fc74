import type { SandboxState } from '@patchbay/contracts'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { createSandbox } from '../../sandbox/create-sandbox.ts'
import type { Sandbox } from '../../sandbox/sandbox-port.ts'
import type { PanelProps } from '../panel-definition.ts'
import { logLine } from './log-line.ts'
import { createRevisions } from './revisions.ts'

type Wanted = Pick<PanelProps, 'tabId' | 'title' | 'state' | 'revision' | 'host'>

/** The panel's frame: another one when it may reach other origins, or when it is reset. */
export function useSandbox(
  place: RefObject<HTMLElement | null>,
  { tabId, title, state, revision, host }: Wanted,
): { readonly isReady: boolean; readonly reset: () => void } {
  const { connect = [], reset: stamp = 0 } = state as SandboxState
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
      title: 'What code shows',
      onReady(ready) {
        setReady(ready)
        host.setReady(tabId, ready)
      },
      onConsole: (line) => host.log.add(logLine(line, about.current)),
    })
    sandbox.current = made
    const takeBack = host.offer(tabId, {
      evaluate: (code, timeoutMs) => made.evaluate(code, timeoutMs),
      takePicture: () => made.takePicture(),
      shows: (wanted) => revisions.shows(wanted),
    })
    return () => {
      takeBack()
      sandbox.current = null
      made.dispose()
    }
  }, [place, tabId, host, origins, revisions])

  // The stamp that was there when the panel opened has been obeyed already: the frame is new.
  const obeyed = useRef(stamp)
  useEffect(() => {
    const isDone = obeyed.current === stamp
    obeyed.current = stamp
    revisions.reach(revision, isDone ? Promise.resolve() : (sandbox.current?.reset() ?? Promise.resolve()))
  }, [stamp, revision, revisions])

  return { isReady, reset: () => void sandbox.current?.reset() }
}
