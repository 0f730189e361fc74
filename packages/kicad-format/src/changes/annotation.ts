import { type Design, referenceOf } from '../nets/design.ts'
import type { SchematicChange } from './change.ts'

type Annotate = Extract<SchematicChange, { type: 'annotate' }>

/** What the symbols of a design say that its project is called; or else the name of its first file. */
export function projectOf({ sheets }: Design): string {
  for (const { schematic } of sheets)
    for (const item of schematic.items)
      if (item.kind === 'symbol' && item.instances[0] !== undefined) return item.instances[0].project
  return (sheets[0]?.file.split('/').at(-1) ?? '').replace(/\.kicad_sch$/, '')
}

/**
 * Numbers for all symbols that have none yet (`R?`), sheet by sheet, from top to bottom and left to right: a change for
 * each file, by its name. The units of one part are its own to tell: each symbol without a number becomes a part of its own.
 */
export function annotationFor(design: Design, project: string): ReadonlyMap<string, Annotate> {
  const taken = new Set<string>()
  const open: {
    readonly file: string
    readonly path: string
    readonly id: string
    readonly prefix: string
  }[] = []
  for (const sheet of design.sheets) {
    const symbols = sheet.schematic.items.filter((item) => item.kind === 'symbol')
    for (const symbol of symbols.toSorted((one, other) => one.at.y - other.at.y || one.at.x - other.at.x)) {
      const { reference } = referenceOf(design, sheet, symbol)
      if (reference.endsWith('?'))
        open.push({ file: sheet.file, path: sheet.path, id: symbol.id, prefix: reference.slice(0, -1) })
      else taken.add(reference)
    }
  }
  const next = new Map<string, number>()
  const changes = new Map<string, Annotate['references'][number][]>()
  for (const { file, path, id, prefix } of open) {
    let number = next.get(prefix) ?? 1
    // KiCad fills the numbers of power symbols with zeros: #PWR01.
    const named = () => `${prefix}${prefix.startsWith('#') ? String(number).padStart(2, '0') : number}`
    while (taken.has(named())) number += 1
    next.set(prefix, number + 1)
    const references = changes.get(file) ?? []
    references.push({ id, project, path, reference: named() })
    changes.set(file, references)
  }
  return new Map([...changes].map(([file, references]) => [file, { type: 'annotate', references }]))
}
