import { insertChild, replaceChild } from '../tree/edit.ts'
import { createList, isList, type List } from '../tree/node.ts'
import { formatList, lineStart, type Style } from '../tree/style.ts'
import { valuesOf } from '../tree/value.ts'

/** The order in which KiCad writes what a sheet consists of. */
const ORDER = [
  'version',
  'generator',
  'generator_version',
  'uuid',
  'paper',
  'title_block',
  'lib_symbols',
  'bus_alias',
  'text',
  'junction',
  'no_connect',
  'bus_entry',
  'wire',
  'bus',
  'label',
  'global_label',
  'hierarchical_label',
  'symbol',
  'sheet',
  'sheet_instances',
  'symbol_instances',
  'embedded_fonts',
]

/** Puts an item behind the last of its kind, or where KiCad would put the first. */
export function insertItem(root: List, item: List, style: Style): List {
  const rank = ORDER.indexOf(item.head)
  const same = root.children.findLastIndex((child) => isList(child, item.head))
  if (same !== -1) {
    const gap = root.gaps[same] ?? ''
    // The first of a group has a blank line before it in KiCad 6 and 7, and symbols each have one.
    const isBlankLine = item.head === 'symbol' || item.head === 'sheet'
    const ownGap =
      style.layout === 'spaces' && !isBlankLine
        ? lineStart(style, 1)
        : gap.includes('#')
          ? lineStart(style, 1)
          : gap
    return insertChild(root, same + 1, formatList(item, style, 1), ownGap)
  }
  const after = root.children.findLastIndex(
    (child) => child.kind === 'atom' || (ORDER.includes(child.head) && ORDER.indexOf(child.head) <= rank),
  )
  const blank = style.layout === 'spaces' ? style.newline : ''
  return insertChild(root, after + 1, formatList(item, style, 1), `${blank}${lineStart(style, 1)}`)
}

/** Puts a child at the end of a list, or behind the last of its kind, in a line of its own. */
export function appendTo(parent: List, child: List, style: Style, depth: number): List {
  const same = parent.children.findLastIndex((one) => isList(one, child.head))
  const at = same === -1 ? parent.children.length : same + 1
  const grown = insertChild(parent, at, formatList(child, style, depth), lineStart(style, depth))
  const closing = grown.gaps.at(-1) ?? ''
  // `(instances)` and the like become several lines.
  return closing.includes('\n') || style.layout === 'flat'
    ? grown
    : createList(grown.children, [...grown.gaps.slice(0, -1), lineStart(style, depth - 1)])
}

/** Puts a definition among the others, by name, as KiCad does. */
export function insertDefinition(root: List, definition: List, style: Style): List {
  const at = root.children.findIndex((child) => isList(child, 'lib_symbols'))
  const library = root.children[at]
  if (!isList(library)) throw new TypeError('a schematic has definitions')
  const [id = ''] = valuesOf(definition)
  const next = library.children.findIndex(
    (child) => isList(child, 'symbol') && (valuesOf(child)[0] ?? '') > id,
  )
  const laid = formatList(definition, style, 2)
  const grown =
    next === -1 ? appendTo(library, laid, style, 2) : insertChild(library, next, laid, lineStart(style, 2))
  return replaceChild(root, at, grown)
}
