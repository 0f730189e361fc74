export type ContentKind = 'html' | 'text' | 'image' | 'other'

const HTML = new Set(['text/html', 'application/xhtml+xml'])
const TEXT = /^(?:text\/.+|application\/(?:json|xml|javascript|x-ndjson|yaml|toml)|.+\+(?:json|xml|yaml))$/
const IMAGES = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/svg+xml',
  'image/x-icon',
  'image/vnd.microsoft.icon',
])

export function mediaTypeOf(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase()
}

/** A site that does not say what it sends means a page. */
export function kindOf(mediaType: string): ContentKind {
  if (mediaType === '' || HTML.has(mediaType)) return 'html'
  if (IMAGES.has(mediaType)) return 'image'
  return TEXT.test(mediaType) ? 'text' : 'other'
}
