import { posix } from 'node:path'
import type { Nodes } from 'mdast'
import { slugOf } from './contents.ts'
import { parseMarkdown, partsOf, type Replacement, replaceParts } from './markdown.ts'

export interface LinkTargets {
  /** Where the site is: `/docs`. */
  readonly base: string
  /** Files of the checkout that are pages of the site. */
  readonly isPage: (file: string) => boolean
  /** Files that are served as they are: pictures, OpenAPI documents. */
  readonly isFile: (file: string) => boolean
}

/** A document whose links lead to the site's pages; what the site does not have stays as plain text. */
export function withSiteLinks(text: string, file: string, targets: LinkTargets): string {
  const replacements: Replacement[] = []
  for (const part of partsOf(parseMarkdown(text))) {
    if (part.type !== 'link' && part.type !== 'image' && part.type !== 'definition') continue
    if (!isRelative(part.url)) continue
    const [path = '', anchor] = part.url.split('#', 2)
    const target = path === '' ? file : posix.join(posix.dirname(file), path).replace(/\/$/, '')
    const address = addressOf(target, targets)
    if (part.type === 'image')
      replacements.push({ ...placeOf(part), text: picture(part.alt ?? '', target, targets) })
    else if (address === undefined) replacements.push(...withoutLink(part, text))
    else replacements.push(urlOf(part, text, anchor === undefined ? address : `${address}#${anchor}`))
  }
  return replaceParts(text, replacements)
}

function isRelative(url: string): boolean {
  return !/^(?:[a-z][a-z+.-]*:|\/)/i.test(url)
}

function addressOf(target: string, { base, isPage, isFile }: LinkTargets): string | undefined {
  const page = [target, `${target}/README.md`].find(isPage)
  if (page !== undefined) return `${base}/${slugOf(page)}/`.replace(/\/readme\/$/, '/')
  return isFile(target) ? `${base}/${target.replace(/^docs\//, '')}` : undefined
}

/** Pictures of the product exist for both themes: each page shows those of its own. */
function picture(alt: string, target: string, { base, isFile }: LinkTargets): string {
  const image = (file: string, theme = '') =>
    `<img src="${base}/${file.replace(/^docs\//, '')}" alt="${escapeHtml(alt)}" loading="lazy"${theme}>`
  const dark = target.replace(/-light\.png$/, '-dark.png')
  return dark === target || !isFile(dark)
    ? image(target)
    : image(target, ' class="dark:sl-hidden"') + image(dark, ' class="light:sl-hidden"')
}

function urlOf(part: Nodes & { readonly url: string }, text: string, address: string): Replacement {
  const { from, to } = placeOf(part)
  const at = text.lastIndexOf(part.url, to)
  if (at < from) throw new Error(`the address ${part.url} is not where it was read`)
  return { from: at, to: at + part.url.length, text: address }
}

function withoutLink(part: Nodes, text: string): Replacement[] {
  const { from, to } = placeOf(part)
  const children = 'children' in part ? part.children : []
  const [first, last] = [children[0], children.at(-1)]
  if (first === undefined || last === undefined) return [{ from, to, text: '' }]
  return [{ from, to, text: text.slice(placeOf(first).from, placeOf(last).to) }]
}

function placeOf({ position }: Nodes): { from: number; to: number } {
  const [from, to] = [position?.start.offset, position?.end.offset]
  if (from === undefined || to === undefined) throw new Error('a part without a place')
  return { from, to }
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
