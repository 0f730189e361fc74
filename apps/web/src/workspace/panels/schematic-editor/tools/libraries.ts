import { type DesignSheet, parse, readLibrary, standaloneSymbol, writeNode } from '@patchbay/kicad-format'
import type { SymbolChoice } from './place-symbol.ts'

/** What the schematic has already: nothing else is needed for these. */
export function ownChoices({ schematic }: DesignSheet): SymbolChoice[] {
  return schematic.library.map((symbol) => ({ libId: symbol.id, symbol, definition: undefined }))
}

/** What a library of the workspace offers, by the name of its file. Throws `KicadSyntaxError`. */
export function choicesOf(path: string, bytes: Uint8Array): SymbolChoice[] {
  return symbolsIn((path.split('/').at(-1) ?? path).replace(/\.kicad_sym$/, ''), bytes)
}

/** The same, by what the library is called. */
export function symbolsIn(nickname: string, content: string | Uint8Array): SymbolChoice[] {
  const library = readLibrary(parse(content)) ?? []
  const byName = new Map(library.map((symbol) => [symbol.id, symbol]))
  return library.flatMap((symbol): SymbolChoice[] => {
    const whole = standaloneSymbol(symbol, (name) => byName.get(name))
    if (whole === undefined) return []
    return [{ libId: `${nickname}:${symbol.id}`, symbol: whole, definition: writeNode(whole.node) }]
  })
}

/** By words, each of which is in the name, the value, the description or the keywords. Those whose name begins so come first. */
export function findChoices(choices: readonly SymbolChoice[], search: string): SymbolChoice[] {
  const parts = search.toLowerCase().split(/\s+/).filter(Boolean)
  const [first = ''] = parts
  const rank = ({ libId }: SymbolChoice) => {
    const name = (libId.split(':').at(-1) ?? libId).toLowerCase()
    return name === first ? 0 : name.startsWith(first) ? 1 : 2
  }
  return choices
    .filter(({ libId, symbol }) => {
      const text = [libId, ...symbol.properties.map(({ value }) => value)].join(' ').toLowerCase()
      return parts.every((part) => text.includes(part))
    })
    .toSorted((one, other) => rank(one) - rank(other) || (one.libId < other.libId ? -1 : 1))
}
