import { posix } from 'node:path'
import type { ListItem, Root } from 'mdast'
import { parseMarkdown, partsOf, textOf } from './markdown.ts'

/** A page of the site, and the file of the checkout that it is made of. */
export interface Page {
  /** From the root of the checkout: `docs/guides/upgrade.md`. */
  readonly file: string
  /** Below the site's address: `guides/upgrade`. */
  readonly slug: string
  readonly label: string
  readonly says: string
}

export interface Section {
  readonly label: string
  readonly pages: readonly Page[]
}

export const CONTENTS = 'docs/README.md'

/** `docs/README.md` is the table of contents, here and wherever the checkout is read: a heading for each section, a list below it. */
export function readContents(text: string): Section[] {
  const sections: { label: string; pages: Page[] }[] = []
  for (const node of (parseMarkdown(text) satisfies Root).children) {
    if (node.type === 'heading' && node.depth === 2) sections.push({ label: textOf(node), pages: [] })
    if (node.type === 'list') for (const item of node.children) sections.at(-1)?.pages.push(pageOf(item))
  }
  return sections
}

function pageOf(item: ListItem): Page {
  const link = [...partsOf(item)].find((part) => part.type === 'link')
  if (link === undefined) throw new Error(`${CONTENTS}: "${textOf(item)}" links to nothing`)
  const file = posix.join(posix.dirname(CONTENTS), link.url)
  const says = textOf(item).slice(textOf(link).length).replace(/^:\s*/, '')
  return { file, slug: slugOf(file), label: textOf(link), says }
}

/** Documents keep their place below `docs`; the few from elsewhere are named after what they are. */
export function slugOf(file: string): string {
  if (file === 'README.md') return 'tour'
  const path = file
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .replace(/\/README$/, '')
  return path.toLowerCase()
}
