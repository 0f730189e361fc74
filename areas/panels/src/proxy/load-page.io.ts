import { type Outbound, OutboundRefused } from '@patchbay/kernel/outbound'
import { failureOf } from './failures.ts'
import { type Shown, showAnswer, showFailure } from './show-answer.ts'

const PAGE_LIMITS = { maxBytes: 8 * 1024 * 1024, deadlineMs: 15_000 } as const

export interface PageLoad {
  readonly url: URL
  readonly languages: string
  /** The only host inside the installation's network that may be shown. */
  readonly openedHost: string | null
  readonly signal: AbortSignal
}

export interface LoadedPage extends Shown {
  /** After redirects, with the part of the page that was asked for. */
  readonly url: string
}

/** A page in any case: what went wrong is one as well. */
export async function loadPage(
  outbound: Outbound,
  { url, languages, openedHost, signal }: PageLoad,
): Promise<LoadedPage> {
  try {
    await using answer = await outbound.open(url.href, {
      ...PAGE_LIMITS,
      signal,
      openedHost,
      headers: {
        accept: 'text/html,application/xhtml+xml,image/*;q=0.8,text/plain;q=0.8,*/*;q=0.5',
        'accept-language': languages,
      },
    })
    return { ...(await showAnswer(answer)), url: answer.url + url.hash }
  } catch (error) {
    if (error instanceof OutboundRefused)
      return { ...showFailure(failureOf(error.reason, error.message), url.href), url: url.href }
    // Nobody waits for it anymore.
    if (signal.aborted) return { status: 502, document: '', url: url.href }
    throw error
  }
}
