/** Joins class names. A CSS module's names may be undefined in the types, and React Aria refuses undefined. */
export function classes(...names: readonly (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
