import { replaceChild } from '../tree/edit.ts'
import { createList, type Document, isList, type List } from '../tree/node.ts'
import { childrenOf, quote, valuesOf } from '../tree/value.ts'
import type { LibrarySymbol } from './items.ts'
import { readLibrarySymbol, readProperties } from './library.ts'

/** What people look for in a library. */
export interface ListedSymbol {
  readonly name: string
  readonly description: string
  readonly keywords: string
}

/** The symbols of a `.kicad_sym` file, without reading what they look like; none of any other file. */
export function listSymbols({ roots }: Document): ListedSymbol[] {
  return symbolNodes(roots[0]).flatMap(([name, node]) => {
    const said = new Map(readProperties(node).map((property) => [property.name, property.value]))
    const description = said.get('Description') ?? said.get('ki_description') ?? ''
    return [{ name, description, keywords: said.get('ki_keywords') ?? '' }]
  })
}

/** One symbol of a `.kicad_sym` file, as a schematic can have it. */
export function symbolIn({ roots }: Document, name: string): LibrarySymbol | undefined {
  const nodes = new Map(symbolNodes(roots[0]))
  const read = (called: string) => {
    const node = nodes.get(called)
    return node === undefined ? undefined : readLibrarySymbol(node)
  }
  const symbol = read(name)
  return symbol === undefined ? undefined : standaloneSymbol(symbol, read)
}

function symbolNodes(root: Document['roots'][number] | undefined): [string, List][] {
  if (!isList(root, 'kicad_symbol_lib')) return []
  return childrenOf(root, 'symbol').flatMap((node): [string, List][] => {
    const [name] = valuesOf(node)
    return name === undefined ? [] : [[name, node]]
  })
}

/** Itself, or what the one that it is like looks like, with its own properties: a schematic has no symbols that are like others. */
export function standaloneSymbol(
  symbol: LibrarySymbol,
  find: (name: string) => LibrarySymbol | undefined,
): LibrarySymbol | undefined {
  if (symbol.base === undefined) return symbol
  const base = find(symbol.base)
  // KiCad knows one step alone.
  if (base === undefined || base.base !== undefined) return undefined
  return { ...base, id: symbol.id, properties: symbol.properties, node: derive(base, symbol) }
}

function derive(base: LibrarySymbol, derived: LibrarySymbol): List {
  const own = new Map(childrenOf(derived.node, 'property').map((one) => [valuesOf(one)[0] ?? '', one]))
  const children = base.node.children.map((child, at) => {
    if (at === 1) return quote(derived.id)
    if (isList(child, 'property')) {
      const name = valuesOf(child)[0] ?? ''
      const replaced = own.get(name) ?? child
      own.delete(name)
      return replaced
    }
    if (!isList(child, 'symbol')) return child
    const [name = ''] = valuesOf(child)
    return replaceChild(child, 1, quote(name.replace(base.id, derived.id)))
  })
  const last = children.findLastIndex((child) => isList(child, 'property'))
  return createList(children.toSpliced(last + 1, 0, ...own.values()))
}
