import { FILE_LIMITS } from '../core/limits.ts'

/** Why a text is no path of a file, in words for whoever chose it. */
export type PathFault = string

const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u
/** Windows takes none of these, and a working copy may be on any system. */
const FORBIDDEN = /[<>:"|?*\\]/
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i
/** What a working copy keeps about itself, and what Git does. */
const RESERVED: ReadonlySet<string> = new Set(['.patchbay', '.git'])

const bytesOf = (text: string) => new TextEncoder().encode(text).byteLength

/**
 * The one spelling of a path, in the Unicode form NFC: what looks the same is the same. Throws a `TypeError` that says why
 * a text is none: such a path could not be written on some system, or would be another file there.
 */
export function normalizePath(text: string): string {
  const path = text.normalize('NFC')
  const fault = faultOf(path)
  if (fault !== undefined) throw new TypeError(fault)
  return path
}

/** The same, where a wrong path is an answer and no failure. */
export function pathFault(text: string): PathFault | undefined {
  return faultOf(text.normalize('NFC'))
}

function faultOf(path: string): PathFault | undefined {
  if (path === '') return 'A path needs at least one name.'
  if (bytesOf(path) > FILE_LIMITS.pathBytes) return `A path has at most ${FILE_LIMITS.pathBytes} bytes.`
  const names = path.split('/')
  if (names.length > FILE_LIMITS.folderDepth + 1)
    return `Folders are at most ${FILE_LIMITS.folderDepth} deep.`
  for (const name of names) {
    const fault = nameFault(name)
    if (fault !== undefined) return fault
  }
  return undefined
}

function nameFault(name: string): PathFault | undefined {
  if (name === '') return 'A path has no slash at its ends, and no two in a row.'
  if (name === '.' || name === '..') return 'A path has no "." and no "..".'
  if (HIDDEN.test(name)) return 'A name has no control characters and none that are invisible.'
  if (FORBIDDEN.test(name)) return 'A name has none of < > : " | ? * \\.'
  if (/[. ]$/.test(name) || name.startsWith(' '))
    return 'A name begins with no blank, and ends with none and no dot.'
  if (DEVICE.test(name)) return `"${name}" is the name of a device on Windows.`
  if (RESERVED.has(name.toLowerCase())) return `"${name}" is reserved.`
  if (bytesOf(name) > FILE_LIMITS.nameBytes) return `A name has at most ${FILE_LIMITS.nameBytes} bytes.`
  return undefined
}

/** Equal for paths that are one file where upper and lower case are the same. */
export function foldPath(path: string): string {
  return path.toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
}

/** The folders around a path, the outermost first: `a/b/c.txt` is in `a` and `a/b`. */
export function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return names.map((_, index) => names.slice(0, index + 1).join('/'))
}
