export interface Settled<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
  reject(error: Error): void
}

/**
 * `Promise.withResolvers` for Node 20. A rejection that nobody waits for must not end the process: a service may have
 * sent the person away and never ask for the code.
 */
export function createSettled<T>(): Settled<T> {
  let resolve: (value: T) => void = () => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue
    reject = onError
  })
  promise.catch(() => undefined)
  return { promise, resolve: (value) => resolve(value), reject: (error) => reject(error) }
}
