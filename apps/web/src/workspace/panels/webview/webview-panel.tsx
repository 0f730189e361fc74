import type { WebviewState } from '@patchbay/contracts/panels'
import { Globe } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import type { PanelProps } from '../../panel-definition.ts'
import { BarHandle } from '../parts/bar-handle.tsx'
import bar from '../parts/tool-bar.module.css'
import { frameRights, PROXIED_PAGE } from './frame-rights.ts'
import { hasPerson, PageFrame } from './page-frame.tsx'
import { ProxyHint } from './proxy-hint.tsx'
import { ScrollMeter } from './scroll-meter.tsx'
import { usePageReports } from './use-page-reports.ts'
import { useProxyTicket } from './use-proxy-ticket.ts'
import { useShows } from './use-shows.ts'
import { useViewing } from './use-viewing.ts'
import styles from './webview.module.css'
import { WebviewHeader } from './webview-header.tsx'
import { WebviewNotices } from './webview-notices.tsx'

interface Scroll {
  readonly pixels: number
  readonly percent: number | undefined
}

/** What the page of one load has told; with the next it is over. */
interface Heard {
  readonly key: string
  readonly scroll: Scroll
  readonly blocked?: string | undefined
}

const AT_THE_TOP: Scroll = { pixels: 0, percent: undefined }

export function WebviewPanel({ tabId, title, state, revision, mayChange, setState, host }: PanelProps) {
  const wanted = state as WebviewState
  const isProxyWanted = wanted.isProxyEnabled === true
  const isHeaderHidden = wanted.isHeaderHidden === true
  const store = (url: string) => {
    if (mayChange) setState({ url })
  }
  const navigation = useViewing({ state: wanted, revision, store })
  const { viewing, place, report, reload, frameLoaded } = navigation
  const { ticket, renew } = useProxyTicket(isProxyWanted, tabId, viewing.asked, host)
  useShows(host, tabId, navigation.shown)

  const frame = useRef<HTMLIFrameElement>(null)
  const way = ticket.status === 'open' || ticket.status === 'waiting' ? `proxy ${ticket.status}` : 'direct'
  const key = `${way} ${viewing.load}`
  const [heard, setHeard] = useState<Heard>({ key, scroll: AT_THE_TOP })
  const { scroll, blocked } = heard.key === key ? heard : { scroll: AT_THE_TOP, blocked: undefined }
  useModeChange(way === 'direct', reload)

  usePageReports(frame, ticket.status === 'open', (told) => {
    // Only with the focus inside is it the person who goes somewhere.
    if (told.type === 'page') report(told.url, hasPerson(frame.current))
    else if (told.type === 'scroll') setHeard({ key, scroll: told, blocked })
    else setHeard({ key, scroll, blocked: told.what })
  })

  // The server may have forgotten the ticket that the page was loaded with, after a night or among many others.
  const reloadAnew = () => {
    if (isProxyWanted) renew()
    reload()
  }
  const frameTitle = place === undefined ? title : `${title}: ${URL.parse(place)?.host ?? place}`
  const common = { title: frameTitle, frame, onLoad: frameLoaded }
  return (
    <div className={bar.panel}>
      {!isHeaderHidden && (
        <WebviewHeader
          navigation={{ ...navigation, reload: reloadAnew }}
          isProxied={isProxyWanted}
          mayChange={mayChange}
          setProxied={(isProxyEnabled) => setState({ isProxyEnabled })}
          hide={() => setState({ isHeaderHidden: true })}
        />
      )}
      {ticket.status === 'open' && <ScrollMeter {...scroll} />}
      <WebviewNotices ticket={ticket} retry={renew} blocked={blocked} />
      <div className={styles.page}>
        {viewing.asked === undefined ? (
          <div className={styles.none}>
            <EmptyState title="No page yet" picture={<Globe aria-hidden />}>
              {mayChange
                ? 'Type an address above, or let a script navigate here.'
                : 'No page has been opened yet.'}
            </EmptyState>
          </div>
        ) : ticket.status === 'waiting' ? (
          <div className={styles.waiting}>
            <Spinner label="Opening the proxy" />
          </div>
        ) : ticket.status === 'open' ? (
          <PageFrame
            {...common}
            key={key}
            rights={PROXIED_PAGE}
            address={ticket.address + encodeURIComponent(viewing.asked)}
          />
        ) : (
          <PageFrame
            {...common}
            key={key}
            rights={frameRights(viewing.asked, location.origin)}
            address={viewing.asked}
          />
        )}
        {isHeaderHidden && mayChange && (
          <BarHandle label="Show the address bar" onPress={() => setState({ isHeaderHidden: false })} />
        )}
      </div>
      {ticket.status === 'off' && mayChange && !isHeaderHidden && viewing.asked !== undefined && (
        <ProxyHint url={viewing.asked} turnOn={() => setState({ isProxyEnabled: true })} />
      )}
    </div>
  )
}

/** A page that begins to come another way comes from where it is by now, not from where it was first asked for. */
function useModeChange(isDirect: boolean, reload: () => void): void {
  const last = useRef(isDirect)
  useEffect(() => {
    if (last.current === isDirect) return
    last.current = isDirect
    reload()
  })
}
