import { detectKind } from './document-kind.ts'
import type { Finding } from './finding.ts'
import { lazily } from './lazily.ts'
import { MAX_FINDINGS } from './package-faults.ts'
import { pointerOf } from './pointer.ts'
import { createLineIndex, createLocator, type Position } from './positions.ts'
import { type RepeatedKey, type Span, scanSource } from './source-scan.ts'

/** A document as a text: knows where things stand in it, and what a parsed value no longer shows. */
export interface Source {
  readonly text: string
  readonly isJson: boolean
  readonly value: unknown
  /** What there is to say of the text as such. */
  readonly notes: readonly Finding[]
  readonly positionOf: (offset: number) => Position
  /**
   * Adds repeated keys, line and column. With an index: of that entry of a list, whose pointers begin there; without:
   * of the document, but for what lies within an entry.
   */
  locate(findings: readonly Finding[], index?: number): Finding[]
}

const BOM = '\uFEFF'

export function openSource(document: string): Source {
  const hasBom = document.startsWith(BOM)
  const text = hasBom ? document.slice(BOM.length) : document
  const parsed = parse(text)
  const notes = hasBom ? [BOM_NOTE] : []
  const positionOf = lazily(() => createLineIndex(text))
  const at = (offset: number) => positionOf()(offset)
  if (!parsed.isJson) return { text, ...parsed, notes, positionOf: at, locate: (findings) => [...findings] }

  const isList = detectKind(parsed.value) === 'package-array'
  const { packages, repeatedKeys } = scanSource(text)
  const keysOf = (index: number | undefined) =>
    isList ? (repeatedKeys.get(index) ?? []) : [...repeatedKeys.values()].flat()
  return {
    text,
    ...parsed,
    notes,
    positionOf: at,
    locate(findings, index) {
      const span = index === undefined ? { start: 0, end: text.length } : (packages[index] ?? NOWHERE)
      const base = index === undefined ? '' : `/packages/${index}`
      const offsetOf = createLocator(text, span)
      const found = findings.map((finding) => ({
        offset: offsetOf(finding),
        finding: { ...finding, pointer: base + finding.pointer },
      }))
      const repeated = keysOf(index).map(explainRepeatedKey)
      return [...repeated, ...found]
        .toSorted((a, b) => rankOf(a.finding) - rankOf(b.finding))
        .slice(0, MAX_FINDINGS)
        .toSorted((a, b) => a.offset - b.offset)
        .map(({ offset, finding }) => ({ ...finding, ...at(offset) }))
    },
  }
}

const NOWHERE: Span = { start: 0, end: 0 }

const BOM_NOTE: Finding = {
  pointer: '',
  line: 1,
  column: 1,
  message: 'begins with a byte order mark, which some readers refuse: save it as UTF-8 without one',
  severity: 'warning',
  code: 'bom',
}

function parse(text: string): { readonly isJson: boolean; readonly value: unknown } {
  try {
    return { isJson: true, value: JSON.parse(text) as unknown }
  } catch {
    return { isJson: false, value: undefined }
  }
}

function explainRepeatedKey({ path, offset }: RepeatedKey): { offset: number; finding: Finding } {
  const message = 'this key occurs twice in one object: readers differ in which one they take'
  return { offset, finding: { pointer: pointerOf(path), message, severity: 'error', code: 'duplicate_key' } }
}

function rankOf({ severity }: Finding): number {
  return severity === 'error' ? 0 : 1
}
