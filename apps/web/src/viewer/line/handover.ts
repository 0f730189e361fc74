/** What a page leaves for the one that follows it in the same tab. */
export interface Handover {
  readonly pageId: string
  /** The request that the next page answers, by showing what was asked for. */
  readonly asked?: string | undefined
}

const KEY = 'patchbay.viewer.page'
const FRAGMENT = '#page='

/** What the page before left, if there was one. Whatever was asked is taken: a reload must not answer it again. */
export function takeHandover(): Handover | undefined {
  const left = readFragment() ?? readStorage()
  if (left !== undefined) keepHandover({ pageId: left.pageId })
  return left
}

/** Answers what the address of the next page must end with: where storage is refused, the address carries it. */
export function keepHandover(handover: Handover): string {
  const text = JSON.stringify(handover)
  try {
    sessionStorage.setItem(KEY, text)
    return ''
  } catch {
    return FRAGMENT + encodeURIComponent(text)
  }
}

function readStorage(): Handover | undefined {
  try {
    return parse(sessionStorage.getItem(KEY))
  } catch {
    // Refused, as in a frame of another origin where the browser keeps nothing for those.
    return undefined
  }
}

function readFragment(): Handover | undefined {
  if (!location.hash.startsWith(FRAGMENT)) return undefined
  const text = decodeURIComponent(location.hash.slice(FRAGMENT.length))
  // Copied links would otherwise carry it to other tabs.
  history.replaceState(null, '', location.pathname + location.search)
  return parse(text)
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function parse(text: string | null): Handover | undefined {
  if (text === null) return undefined
  try {
    const { pageId, asked } = JSON.parse(text) as Partial<Record<keyof Handover, unknown>>
    if (typeof pageId !== 'string' || !UUID.test(pageId)) return undefined
    return { pageId, ...(typeof asked === 'string' && { asked }) }
  } catch {
    // Somebody else's text, or a part of ours.
    return undefined
  }
}
