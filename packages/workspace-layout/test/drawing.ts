import {
  type Direction,
  emptyLayout,
  type Layout,
  type LayoutNode,
  type LayoutRules,
  type Tab,
} from '../src/index.ts'

/** Names of up to four characters are ids here, and can be read back from them. */
export function id(name: string): string {
  const hex = Array.from(name, (character) => character.charCodeAt(0).toString(16)).join('')
  return `${hex.padEnd(8, '0')}-0000-4000-8000-000000000000`
}

export function nameOf(uuid: string): string {
  const codes = uuid.slice(0, 8).match(/../g) ?? []
  return codes
    .map((code) => String.fromCharCode(Number.parseInt(code, 16)))
    .join('')
    .replaceAll('\0', '')
}

/** A tab with a panel of its own. */
export function tab(name: string, content: Partial<Tab> = {}): Tab {
  return { id: id(name), panel: `ada/${id(name)}`, title: `Tab ${name}`, ...content }
}

export const NO_SINGLETONS: LayoutRules = { isSingleton: () => false }

/**
 * Reads a drawing: `A[x y*]` is the leaf A with the tabs x and y, of which y is active; `R:row(0.5 A[x*], 0.5 B[y*])`
 * is the split R.
 */
export function draw(drawing: string): Layout {
  const tokens = drawing.match(/[\w.]+|[:()[\]*]/g) ?? []
  const next = () => tokens.shift() ?? ''
  const readNode = (): LayoutNode => {
    const name = next()
    if (next() === '[') return readLeaf(name)
    const direction = next() as Direction
    const sizes: number[] = []
    const children: LayoutNode[] = []
    for (next(); tokens[0] !== ')' && tokens.length > 0; ) {
      sizes.push(Number(next()))
      children.push(readNode())
    }
    next()
    return { type: 'split', id: id(name), direction, sizes, children }
  }
  const readLeaf = (name: string): LayoutNode => {
    const tabs: Tab[] = []
    let activeTabId: string | null = null
    for (let token = next(); token !== ']' && token !== ''; token = next()) {
      if (token === '*') activeTabId = tabs.at(-1)?.id ?? null
      else tabs.push(tab(token))
    }
    return { type: 'leaf', id: id(name), tabs, activeTabId }
  }
  return { root: readNode() }
}

/** The drawing of a layout. Titles and icons are not in it. */
export function show({ root }: Layout): string {
  return showNode(root)
}

function showNode(node: LayoutNode): string {
  const name = nameOf(node.id)
  if (node.type === 'leaf') {
    const tabs = node.tabs.map((one) => nameOf(one.id) + (one.id === node.activeTabId ? '*' : ''))
    return `${name}[${tabs.join(' ')}]`
  }
  const parts = node.children.map((child, at) => `${node.sizes[at]} ${showNode(child)}`)
  return `${name}:${node.direction}(${parts.join(', ')})`
}

export const EMPTY = emptyLayout(id('A'))
