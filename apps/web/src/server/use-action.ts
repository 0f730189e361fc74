import { useRef, useState } from 'react'

export interface Action<Args extends readonly unknown[]> {
  readonly run: (...args: Args) => void
  readonly isPending: boolean
  /** Why the last run came to nothing; undefined while one is under way and after one that worked. */
  readonly error: unknown
  readonly forget: () => void
}

/** Something a press begins. While it is under way further presses do nothing. */
export function useAction<Args extends readonly unknown[]>(
  act: (...args: Args) => Promise<void>,
): Action<Args> {
  const [state, setState] = useState<{ isPending: boolean; error?: unknown }>({ isPending: false })
  // The state of a render is too old for the second press of a double click.
  const isRunning = useRef(false)
  const run = (...args: Args) => {
    if (isRunning.current) return
    isRunning.current = true
    setState({ isPending: true })
    act(...args)
      .then(
        () => setState({ isPending: false }),
        (error: unknown) => setState({ isPending: false, error }),
      )
      .finally(() => {
        isRunning.current = false
      })
  }
  return { run, isPending: state.isPending, error: state.error, forget: () => setState({ isPending: false }) }
}
