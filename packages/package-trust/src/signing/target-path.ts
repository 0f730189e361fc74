import type { FileInfo, JsonObject } from './document.ts'

const INHERITED = Object.prototype
const CONTROL_OR_BACKSLASH = /[\p{Cc}\\]/u
const SHA256 = /^[0-9a-f]{64}$/

/** Clients look paths up in plain objects, where a name like `constructor` is always there. */
export function checkTargetPath(path: string): string {
  const parts = path.split('/')
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..')
  if (isPlain && path.length <= 1024 && !CONTROL_OR_BACKSLASH.test(path) && !(path in INHERITED)) return path
  throw new RangeError(`${JSON.stringify(path)} cannot be a target: use a relative path without . and ..`)
}

export function spellTarget(path: string, { length, sha256 }: FileInfo): JsonObject {
  if (!Number.isSafeInteger(length) || length < 0)
    throw new RangeError(`The length of ${path} is no whole number`)
  if (!SHA256.test(sha256))
    throw new RangeError(`The SHA-256 of ${path} is not 64 hexadecimal digits in lower case`)
  return { length, hashes: { sha256 } }
}

/** In the order of the paths, so that the same files give the same bytes. */
export function spellTargets(files: ReadonlyMap<string, FileInfo>): JsonObject {
  const paths = [...files.keys()].toSorted()
  return Object.fromEntries(
    paths.map((path) => {
      const file = files.get(checkTargetPath(path))
      return [path, file === undefined ? {} : spellTarget(path, file)]
    }),
  )
}
