import { type Design, type Net, netsOf, parse, readDesign } from '../src/index.ts'
import { drawFile } from './samples.ts'

/** A design of files, each drawn of its items; the first is the root. */
export function designOf(files: Readonly<Record<string, readonly string[]>>): Design {
  const [root = ''] = Object.keys(files)
  const drawn = Object.entries(files).map(([name, items], at) => {
    const id = `00000000-0000-4000-8000-${String(999 - at).padStart(12, '0')}`
    return [name, parse(drawFile(items, { id }))] as const
  })
  return readDesign(new Map(drawn), root)
}

/** Pins that are connected, such as `R1.1 R2.2`, without power symbols; pins that are connected to nothing are left out. */
export function groupsOf(nets: readonly Net[]): string[] {
  return nets
    .map(({ pins }) => new Set(pins.filter(isPart).map(({ reference, number }) => `${reference}.${number}`)))
    .filter(({ size }) => size > 1)
    .map((pins) => [...pins].toSorted().join(' '))
    .toSorted()
}

const isPart = ({ reference }: { readonly reference: string }) => !reference.startsWith('#')

export const connected = (files: Readonly<Record<string, readonly string[]>>) =>
  groupsOf(netsOf(designOf(files)))
export const inOneSheet = (...items: readonly string[]) => connected({ 'root.kicad_sch': items })
