const leftovers = new Set<() => void>()

/** Runs `remove` when the process ends without having cleaned up; what came last goes first. */
export function removeAtExit(remove: () => void): void {
  if (leftovers.size === 0) {
    process.on('exit', removeAll)
    process.on('SIGTERM', exitUnlessHandled)
  }
  leftovers.add(remove)
}

export function forgetAtExit(remove: () => void): void {
  leftovers.delete(remove)
  if (leftovers.size > 0) return
  process.off('exit', removeAll)
  process.off('SIGTERM', exitUnlessHandled)
}

function removeAll(): void {
  // The last first: a paused cluster's backends are found by their parent, which must still be there.
  for (const remove of [...leftovers].toReversed()) remove()
}

/** The test runner ends its workers by this signal, which by itself reaches no exit listener. */
function exitUnlessHandled(): void {
  if (process.listenerCount('SIGTERM') === 1) process.exit(143)
}
