/** Work that goes on until it is told to end. */
export function heldWork() {
  const begun: number[] = []
  const endings = new Map<number, (error?: Error) => void>()
  return {
    /** Their numbers, in the order in which they began. */
    begun,
    work: (id: number) => () =>
      new Promise<number>((resolve, reject) => {
        begun.push(id)
        endings.set(id, (error) => (error === undefined ? resolve(id) : reject(error)))
      }),
    finish: (id: number, error?: Error) => endings.get(id)?.(error),
  }
}
