import type { WrittenPage } from './http.ts'
import { parseMarkdown, textOf } from './markdown.ts'

/** A long document as several pages: its introduction with a list, and one for each heading of the second level. */
export function dividePage(slug: string, text: string, base: string): WrittenPage[] {
  const { children } = parseMarkdown(text)
  const [title] = children
  if (title?.type !== 'heading' || title.depth !== 1) throw new Error(`${slug} has no title`)
  const headings = children.filter((node) => node.type === 'heading' && node.depth === 2)
  const places = headings.map((heading) => heading.position?.start.offset ?? 0)
  const parts = headings.map((heading, index): WrittenPage => {
    const label = textOf(heading)
    return {
      slug: `${slug}/${label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`,
      title: label,
      says: `${textOf(title)}: ${label.toLowerCase()}.`,
      // Their headings are one level too deep once they have a page of their own.
      body: text.slice(heading.position?.end.offset, places[index + 1]).replaceAll(/^##(#+ )/gm, '#$1'),
    }
  })
  const list = parts.map((part) => `- [${part.title}](${base}/${part.slug}/)`).join('\n')
  const introduction = text.slice(title.position?.end.offset, places[0])
  return [
    { slug, title: textOf(title), says: `${textOf(title)} of Patchbay.`, body: `${introduction}\n${list}\n` },
    ...parts,
  ]
}
