import { escapeHtml } from './markup.ts'
import { throughProxy } from './page-head.ts'
import { isWebAddress, LONGEST_ADDRESS } from './page-request.ts'

/** Each begins at the start of the text and never looks back: content of any length takes one pass. */
const DELAY = /^\s*(\d{0,9})[\d.]*/
const SEPARATOR = /^(?:\s*[;,]|\s)/
const LABEL = /^url\s*=/i

interface Refresh {
  readonly seconds: number
  /** As it is written; empty where the page loads itself again. */
  readonly to: string
}

/** What `<meta http-equiv=refresh content="5; url=next">` asks for. */
export function parseRefresh(content: string): Refresh | undefined {
  const [delay = '', digits = ''] = DELAY.exec(content) ?? []
  const rest = content.slice(delay.length)
  const seconds = Number(digits)
  if (rest.trim() === '') return { seconds, to: '' }
  const separator = SEPARATOR.exec(rest)?.[0]
  if (separator === undefined) return undefined
  const target = rest.slice(separator.length).trimStart()
  const label = LABEL.exec(target)?.[0] ?? ''
  return { seconds, to: unquoted(target.slice(label.length).trim()) }
}

function unquoted(text: string): string {
  const quote = text[0]
  if (quote !== '"' && quote !== "'") return text
  const end = text.indexOf(quote, 1)
  return text.slice(1, end === -1 ? undefined : end).trim()
}

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
