/** Whatever comes of `work`, or the signal's reason as soon as it is aborted: some work does not look at its signal. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // What fails after nobody waits for it any more must not end the process.
  work.catch(() => {})
  if (signal.aborted) throw signal.reason
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
