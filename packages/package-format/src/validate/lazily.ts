/** A value that is made when it is first asked for. */
export function lazily<T>(create: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: create() }).value
}
