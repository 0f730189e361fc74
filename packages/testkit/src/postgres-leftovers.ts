const leftovers = new Set<() => void>()

/** Runs `remove` when the process ends without having cleaned up. */
export function removeAtExit(remove: () => void): void {
  if (leftovers.size === 0) listen()
  leftovers.add(remove)
}

export function forgetAtExit(remove: () => void): void {
  leftovers.delete(remove)
  if (leftovers.size > 0) return
  process.off('exit', removeAll)
  process.off('SIGTERM', exitUnlessHandled)
}

function listen(): void {
  // A paused cluster's backends are found by their parent: before the listener that ends every started process.
  process.prependListener('exit', removeAll)
  process.on('SIGTERM', exitUnlessHandled)
}

function removeAll(): void {
  for (const remove of leftovers) remove()
}

/** The test runner ends its workers by this signal, which by itself reaches no exit listener. */
function exitUnlessHandled(): void {
  if (process.listenerCount('SIGTERM') === 1) process.exit(143)
}
