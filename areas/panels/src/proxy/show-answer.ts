import type { OutboundResponse } from '@patchbay/kernel/outbound'
import { decodeText } from './charset.ts'
import { answerStatus, emptyAnswer, type Failure } from './failures.ts'
import { messagePage, picturePage, textPage, titleOf } from './own-page.ts'

type ContentKind = 'html' | 'text' | 'image' | 'other'

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

function mediaTypeOf(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase()
}

/** A site that does not say what it sends means a page. */
function kindOf(mediaType: string): ContentKind {
  if (mediaType === '' || HTML.has(mediaType)) return 'html'
  if (IMAGES.has(mediaType)) return 'image'
  return TEXT.test(mediaType) ? 'text' : 'other'
}

export interface Shown {
  readonly status: number
  /** Not yet rewritten. */
  readonly document: string
}

export function showFailure({ status, heading, happened }: Failure, url?: string): Shown {
  return { status, document: messagePage({ heading, happened, url }) }
}

/** What a site answered, as a page. The body of what cannot be shown is not read. */
export async function showAnswer(answer: OutboundResponse): Promise<Shown> {
  const { headers, url } = answer
  const status = answerStatus(answer.status)
  const contentType = headers.get('content-type') ?? ''
  const mediaType = mediaTypeOf(contentType)
  const kind = kindOf(mediaType)
  if (kind === 'other') return showFailure({ status, ...unsupportedType(mediaType) }, url)
  const bytes = Buffer.concat(await Array.fromAsync(answer.body))
  if (bytes.length === 0) return showFailure(emptyAnswer(answer.status), url)
  if (kind === 'image') return { status, document: picturePage(titleOf(url), mediaType, bytes) }
  const text = decodeText(bytes, contentType)
  return { status, document: kind === 'html' ? text : textPage(titleOf(url), text, url) }
}

function unsupportedType(mediaType: string): Omit<Failure, 'status'> {
  return {
    heading: 'This is not a page',
    happened: `The site sends a file of the type “${mediaType.slice(0, 100)}”. Web views show pages, text and pictures.`,
  }
}
