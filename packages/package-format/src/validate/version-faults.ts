import { VERSION_PATTERN } from '../patterns.ts'
import { versionKey } from '../version.ts'
import type { Finding } from './finding.ts'
import { show } from './show.ts'

const VERSION = new RegExp(VERSION_PATTERN)

/** Versions that the contract allows beside each other and that people and tools take for one. */
export function findConfusedVersions(versions: readonly unknown[]): Finding[] {
  const byText = new Map<string, number>()
  const byKey = new Map<string, { readonly index: number; readonly text: string }>()
  return versions.flatMap((version, index): Finding[] => {
    const read = readVersion(version)
    if (read === undefined) return []
    const { text, key } = read
    const pointer = `/versions/${index}/version`
    const same = byText.get(text)
    const equal = byKey.get(key)
    byText.set(text, same ?? index)
    byKey.set(key, equal ?? { index, text })
    if (same !== undefined) {
      const message = `${show(text)} is the version of entry ${same} as well: tools tell versions apart by this text`
      return [{ pointer, message, severity: 'warning', code: 'duplicate_version' }]
    }
    if (equal === undefined) return []
    const message = `${show(text)} ranks the same as ${show(equal.text)} of entry ${equal.index}: neither updates the other`
    return [{ pointer, message, severity: 'warning', code: 'equal_version' }]
  })
}

function readVersion(value: unknown): { readonly text: string; readonly key: string } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { version, version_epoch = 0 } = value as Readonly<Record<string, unknown>>
  if (typeof version !== 'string' || !VERSION.test(version) || typeof version_epoch !== 'number')
    return undefined
  return { text: version, key: versionKey({ version, version_epoch }).join('.') }
}
