import { request, StreamError, type StreamKind } from './stream.ts'

const DEADLINE_MS = 10_000
type FileKind = Exclude<StreamKind, 'whep'>

/** What an address says by its path: endings of files, and what the usual servers of cameras call theirs. */
export function kindByAddress(url: string): FileKind | undefined {
  const { pathname, search } = new URL(url)
  const path = pathname.toLowerCase()
  if (path.endsWith('.m3u8')) return 'hls'
  if (/\.(?:mp4|m4v|mov|webm|ogv)$/.test(path)) return 'video'
  if (/\.(?:mjpg|mjpeg)$|\/(?:mjpg|mjpeg)(?:\/|$)/.test(path) || /[?&]action=stream(?:&|$)/.test(search))
    return 'mjpeg'
  return undefined
}

export function kindByType(contentType: string): FileKind | undefined {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (/^(?:application|audio)\/(?:vnd\.apple\.mpegurl|x-mpegurl|mpegurl)$/.test(type)) return 'hls'
  if (type === 'multipart/x-mixed-replace') return 'mjpeg'
  if (type === 'text/html' || type === 'application/xhtml+xml') throw new StreamError('page')
  if (type.startsWith('image/')) throw new StreamError('still')
  return /^(?:video|audio)\//.test(type) ? 'video' : undefined
}

/** What is there: told by the address, else by the type of its answer. */
export async function findKind(url: string, signal: AbortSignal): Promise<FileKind> {
  const byAddress = kindByAddress(url)
  if (byAddress !== undefined) return byAddress
  const asking = new AbortController()
  try {
    const both = AbortSignal.any([signal, asking.signal])
    const response = await request(url, { signal: both, deadlineMs: DEADLINE_MS })
    if (!response.ok) throw new StreamError('refused', String(response.status))
    return kindByType(response.headers.get('content-type') ?? '') ?? 'video'
  } catch (error) {
    // Of what pages may not read, only pictures are shown all the same.
    if (error instanceof StreamError && error.reason === 'unreachable') return 'mjpeg'
    throw error
  } finally {
    // Only its head was wanted: a stream would never end by itself.
    asking.abort()
  }
}
