/** What a proxied page tells about itself. It is the page's word: text to show, and never more. */
export type PageReport =
  | { readonly type: 'page'; readonly url: string; readonly title: string }
  /** Of the page's whole height; undefined where it did not say how high it is. */
  | { readonly type: 'scroll'; readonly pixels: number; readonly percent: number | undefined }
  | { readonly type: 'blocked'; readonly what: string }

const LONGEST_TITLE = 200

/** Reads a message, or undefined for one that is none of ours. */
export function readPageReport(data: unknown): PageReport | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const message = data as Readonly<Record<string, unknown>>
  switch (message['type']) {
    case 'patchbay:page':
      return readPage(message)
    case 'patchbay:scroll':
      return readScroll(message)
    case 'patchbay:blocked':
      return { type: 'blocked', what: String(message['what']).slice(0, 40) }
    default:
      return undefined
  }
}

function readPage({ url, title }: Readonly<Record<string, unknown>>): PageReport | undefined {
  const address = typeof url === 'string' ? URL.parse(url) : null
  if (address === null || !/^https?:$/.test(address.protocol) || address.href.length > 2000) return undefined
  return {
    type: 'page',
    url: address.href,
    title: typeof title === 'string' ? title.slice(0, LONGEST_TITLE) : '',
  }
}

function readScroll({ y, maxY }: Readonly<Record<string, unknown>>): PageReport | undefined {
  if (typeof y !== 'number' || !Number.isFinite(y)) return undefined
  const isMeasured = typeof maxY === 'number' && Number.isFinite(maxY) && maxY > 0
  return {
    type: 'scroll',
    pixels: Math.max(0, Math.round(y)),
    percent: isMeasured ? Math.min(100, Math.max(0, Math.round((y / maxY) * 100))) : undefined,
  }
}
