import { Problem } from '@patchbay/contracts/core'
import { FILE_ADDRESS_START } from '@patchbay/contracts/panels'
import { useEffect, useRef, useState } from 'react'
import type { PanelHost } from '../../panel-definition.ts'
import { pathInAddress } from '../parts/file-address.ts'
import { fetchProxyTicket } from './proxy-ticket.api.ts'

export type ProxyTicket =
  | { readonly status: 'off' | 'waiting' | 'unavailable' }
  | { readonly status: 'open'; readonly address: string }
  | { readonly status: 'failed'; readonly error: unknown }

const SOONEST_MS = 60_000
const LATEST_MS = 55 * 60_000

/** What one ticket is good for: a site, or all files of the workspace. */
function siteOf(url: string): string | undefined {
  if (pathInAddress(url) !== undefined) return FILE_ADDRESS_START
  const origin = URL.parse(url)?.origin
  return origin === undefined ? undefined : `${origin}/`
}

/**
 * What a web view needs to load pages through the proxy, asked for while that is wanted and renewed before it ends. Each
 * ticket is for the site that the person went to, so another site needs another one. `renew` asks for a new one at once.
 */
export function useProxyTicket(isWanted: boolean, tabId: string, asked: string | undefined, host: PanelHost) {
  const [{ ticket, of }, setTicket] = useState<{ readonly ticket: ProxyTicket; readonly of?: string }>({
    ticket: { status: 'waiting' },
  })
  const site = asked === undefined ? undefined : siteOf(asked)
  const again = useRef(() => {})
  const { owner, repo } = host.workspace
  useEffect(() => {
    if (!isWanted) return undefined
    const ending = new AbortController()
    let renewal: ReturnType<typeof setTimeout> | undefined
    const show = (next: ProxyTicket) =>
      setTicket({ ticket: next, ...(site === undefined ? {} : { of: site }) })
    const ask = () =>
      void fetchProxyTicket({ owner, repo }, tabId, site, host.csrfToken(), ending.signal).then(
        ({ address, expiresAt }) => {
          if (ending.signal.aborted) return
          show({ status: 'open', address })
          clearTimeout(renewal)
          const left = Date.parse(expiresAt) - Date.now() - SOONEST_MS
          renewal = setTimeout(ask, Math.min(LATEST_MS, Math.max(SOONEST_MS, left)))
        },
        (error: unknown) => {
          if (ending.signal.aborted) return
          const isMissing = error instanceof Problem && error.code === 'proxy_not_available'
          show(isMissing ? { status: 'unavailable' } : { status: 'failed', error })
        },
      )
    again.current = ask
    ask()
    return () => {
      ending.abort()
      clearTimeout(renewal)
    }
  }, [isWanted, owner, repo, tabId, site, host])
  const renew = () => {
    setTicket({ ticket: { status: 'waiting' } })
    again.current()
  }
  if (!isWanted) return { ticket: { status: 'off' } as const, renew }
  return { ticket: of === site ? ticket : ({ status: 'waiting' } as const), renew }
}
