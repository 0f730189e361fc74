import { escapeHtml } from './markup.ts'
import { parseRefresh } from './meta-refresh.ts'
import { throughProxy } from './page-head.ts'
import { isWebAddress, LONGEST_ADDRESS } from './page-request.ts'

export interface Tag {
  readonly tagName: string
  readonly attrs: readonly { readonly name: string; readonly value: string }[]
  readonly selfClosing: boolean
}

/** Describe the document, and order nothing. */
const HARMLESS = new Set(['content-type', 'content-language', 'default-style'])

/** What becomes of a tag; `undefined` leaves it as it is written. */
export function rewriteTag(tag: Tag, base: string, address: string): string | undefined {
  if (tag.tagName === 'base') return ''
  if (tag.tagName === 'meta') return rewriteMeta(tag, base, address)
  return tag.attrs.some(isReferrerPolicy)
    ? writeTag(
        tag,
        tag.attrs.filter((each) => !isReferrerPolicy(each)),
      )
    : undefined
}

function isReferrerPolicy({ name }: { readonly name: string }): boolean {
  return name === 'referrerpolicy'
}

function rewriteMeta(tag: Tag, base: string, address: string): string | undefined {
  if (attribute(tag, 'name')?.trim().toLowerCase() === 'referrer') return ''
  const order = orderOf(tag)
  if (order === undefined || HARMLESS.has(order)) return undefined
  return order === 'refresh' ? rewriteRefresh(tag, base, address) : ''
}

/** What a `meta` tells the browser to do. */
export function orderOf(tag: Tag): string | undefined {
  return tag.tagName === 'meta' ? attribute(tag, 'http-equiv')?.trim().toLowerCase() : undefined
}

function rewriteRefresh(tag: Tag, base: string, address: string): string {
  const refresh = parseRefresh(attribute(tag, 'content') ?? '')
  if (refresh === undefined) return ''
  const { seconds, to } = refresh
  if (to === '') return `<meta http-equiv="refresh" content="${seconds}">`
  const url = URL.parse(to, base)
  if (url === null || !isWebAddress(url) || url.href.length > LONGEST_ADDRESS) return ''
  const target = escapeHtml(throughProxy({ address }, url.href))
  return `<meta http-equiv="refresh" content="${seconds}; url=${target}">`
}

/**
 * What the document's `base` makes of its own address; browsers ignore one that leads out of the web. A very long one
 * would be written out with everything that is relative to it.
 */
export function baseOf(tag: Tag, url: string): string | undefined {
  const href = tag.tagName === 'base' ? attribute(tag, 'href') : undefined
  if (href === undefined) return undefined
  const resolved = URL.parse(href, url)
  const isUsable = resolved !== null && isWebAddress(resolved) && resolved.href.length <= LONGEST_ADDRESS
  return isUsable ? resolved.href : url
}

function attribute({ attrs }: Tag, name: string): string | undefined {
  return attrs.find((each) => each.name === name)?.value
}

function writeTag({ tagName, selfClosing }: Tag, attrs: Tag['attrs']): string {
  const written = attrs.map(({ name, value }) => ` ${name}="${escapeHtml(value)}"`).join('')
  return `<${tagName}${written}${selfClosing ? '/' : ''}>`
}
