import type { WebviewState } from '@patchbay/contracts/panels'
import { ArrowLeft, ArrowRight, ChevronsUp, Globe, RotateCw, Waypoints, X } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { classes } from '../../../components/classes.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { FailureNotice } from '../../../server/failure-notice.tsx'
import type { PanelProps } from '../../panel-definition.ts'
import { isMixed } from '../parts/address.ts'
import { AddressField } from '../parts/address-field.tsx'
import { BarHandle } from '../parts/bar-handle.tsx'
import { pathInAddress, readWebviewAddress } from '../parts/file-address.ts'
import bar from '../parts/tool-bar.module.css'
import { ToolBar } from '../parts/tool-bar.tsx'
import { ToolButton } from '../parts/tool-button.tsx'
import { ToolToggle } from '../parts/tool-toggle.tsx'
import { frameRights, PROXIED_PAGE } from './frame-rights.ts'
import { hasPerson, PageFrame } from './page-frame.tsx'
import { type PageReport, readPageReport } from './page-report.ts'
import { useFileChanges } from './use-file-changes.ts'
import { type ProxyTicket, useProxyTicket } from './use-proxy-ticket.ts'
import { useShows } from './use-shows.ts'
import { type Navigation, useViewing } from './use-viewing.ts'
import styles from './webview.module.css'
import { words } from './words.ts'

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
  const filePath = viewing.asked === undefined ? undefined : pathInAddress(viewing.asked)
  const isFile = filePath !== undefined
  const { ticket, renew } = useProxyTicket(isProxyWanted || isFile, tabId, viewing.asked, host)
  useShows(host, tabId, navigation.shown)

  const frame = useRef<HTMLIFrameElement>(null)
  const way = ticket.status === 'open' || ticket.status === 'waiting' ? `proxy ${ticket.status}` : 'direct'
  const key = `${way} ${viewing.load}`
  const [heard, setHeard] = useState<Heard>({ key, scroll: AT_THE_TOP })
  const { scroll, blocked } = heard.key === key ? heard : { scroll: AT_THE_TOP, blocked: undefined }
  useModeChange(way === 'direct', reload)

  usePageReports(frame, ticket.status === 'open' && !isFile, (told) => {
    // Only with the focus inside is it the person who goes somewhere.
    if (told.type === 'page') report(told.url, hasPerson(frame.current))
    else if (told.type === 'scroll') setHeard({ key, scroll: told, blocked })
    else setHeard({ key, scroll, blocked: told.what })
  })

  // The server may have forgotten the ticket that the page was loaded with, after a night or among many others.
  const reloadAnew = () => {
    if (isProxyWanted || isFile) renew()
    reload()
  }
  useFileChanges(host, filePath, reloadAnew)
  const frameTitle = place === undefined ? title : words.frame(title, nameOfPlace(place))
  const common = { title: frameTitle, frame, onLoad: frameLoaded }
  return (
    <div className={bar.panel}>
      {!isHeaderHidden && (
        <WebviewHeader
          navigation={{ ...navigation, reload: reloadAnew }}
          isProxied={isProxyWanted}
          isFile={isFile}
          mayChange={mayChange}
          setProxied={(isProxyEnabled) => setState({ isProxyEnabled })}
          hide={() => setState({ isHeaderHidden: true })}
        />
      )}
      {ticket.status === 'open' && !isFile && <ScrollMeter {...scroll} />}
      <WebviewNotices ticket={ticket} isFile={isFile} retry={renew} blocked={blocked} />
      <div className={styles.page}>
        {viewing.asked === undefined ? (
          <div className={styles.none}>
            <EmptyState title={words.none.title} picture={<Globe aria-hidden />}>
              {mayChange ? words.none.text : words.none.viewOnly}
            </EmptyState>
          </div>
        ) : ticket.status === 'waiting' ? (
          <div className={styles.waiting}>
            <Spinner label={isFile ? words.openingFile : words.openingProxy} />
          </div>
        ) : ticket.status === 'open' ? (
          <PageFrame
            {...common}
            key={key}
            rights={PROXIED_PAGE}
            address={ticket.address + (filePath ?? encodeURIComponent(viewing.asked))}
          />
        ) : isFile ? null : (
          <PageFrame
            {...common}
            key={key}
            rights={frameRights(viewing.asked, location.origin)}
            address={viewing.asked}
          />
        )}
        {isHeaderHidden && mayChange && (
          <BarHandle label={words.bar.show} onPress={() => setState({ isHeaderHidden: false })} />
        )}
      </div>
      {ticket.status === 'off' && mayChange && !isHeaderHidden && viewing.asked !== undefined && (
        <ProxyHint url={viewing.asked} turnOn={() => setState({ isProxyEnabled: true })} />
      )}
    </div>
  )
}

/** Which page it is, for whoever does not see it. */
function nameOfPlace(place: string): string {
  return pathInAddress(place) ?? URL.parse(place)?.host ?? place
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

/** Whether a site forbids frames is not to be seen from outside: whoever sees no page knows best. */
function ProxyHint({ url, turnOn }: { url: string; turnOn: () => void }) {
  const [isClosed, setClosed] = useState(false)
  if (isClosed) return null
  return (
    <div className={classes(bar.status, styles.hint)}>
      <span>{isMixed(url, location.protocol) ? words.hint.http : words.hint.notShowing}</span>
      <Button size="sm" variant="ghost" onPress={turnOn}>
        {words.hint.turnOn}
      </Button>
      <span className={styles.close}>
        <IconButton label={words.hint.close} size="sm" onPress={() => setClosed(true)}>
          <X aria-hidden />
        </IconButton>
      </span>
    </div>
  )
}

/** How far a proxied page is scrolled: a line, with words for those who do not see it. */
function ScrollMeter({ pixels, percent }: { pixels: number; percent: number | undefined }) {
  const text = percent === undefined ? words.scroll.pixels(pixels) : words.scroll.percent(percent)
  return (
    <meter
      aria-label={words.scroll.label}
      aria-valuetext={text}
      title={text}
      max={100}
      value={percent ?? 0}
      className={styles.meter}
    />
  )
}

/** Listens to one frame, and to nobody else: any window may send any message. */
function usePageReports(
  frame: RefObject<HTMLIFrameElement | null>,
  isListening: boolean,
  take: (report: PageReport) => void,
): void {
  const latest = useRef(take)
  useEffect(() => {
    latest.current = take
  })
  useEffect(() => {
    if (!isListening) return undefined
    const hear = ({ source, data }: MessageEvent<unknown>) => {
      if (source === null || source !== frame.current?.contentWindow) return
      const report = readPageReport(data)
      if (report !== undefined) latest.current(report)
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [frame, isListening])
}

interface WebviewHeaderProps {
  navigation: Navigation
  isProxied: boolean
  isFile: boolean
  mayChange: boolean
  setProxied: (isProxied: boolean) => void
  hide: () => void
}

function WebviewHeader(props: WebviewHeaderProps) {
  const { navigation, isProxied, isFile, mayChange, setProxied, hide } = props
  const { viewing, place, go, step, reload } = navigation
  const { visits, at } = viewing
  return (
    <ToolBar label={words.bar.label} className={styles.header}>
      <ToolButton label={words.bar.back} onPress={() => step(-1)} isDisabled={at <= 0}>
        <ArrowLeft aria-hidden />
      </ToolButton>
      <ToolButton label={words.bar.forward} onPress={() => step(1)} isDisabled={at >= visits.length - 1}>
        <ArrowRight aria-hidden />
      </ToolButton>
      <ToolButton label={words.bar.reload} onPress={reload} isDisabled={place === undefined}>
        <RotateCw aria-hidden />
      </ToolButton>
      <AddressField
        label={words.bar.address}
        example={words.bar.addressExample}
        place={place}
        isReadOnly={!mayChange}
        go={go}
        read={readWebviewAddress}
      />
      <ToolToggle
        label={words.bar.proxy}
        isSelected={isProxied}
        onChange={setProxied}
        isDisabled={!mayChange || isFile}
      >
        <Waypoints aria-hidden />
      </ToolToggle>
      <ToolButton label={words.bar.hide} onPress={hide} isDisabled={!mayChange}>
        <ChevronsUp aria-hidden />
      </ToolButton>
    </ToolBar>
  )
}

interface WebviewNoticesProps {
  ticket: ProxyTicket
  isFile: boolean
  retry: () => void
  /** What the proxy did not let the page do. */
  blocked: string | undefined
}

function WebviewNotices({ ticket, isFile, retry, blocked }: WebviewNoticesProps) {
  const isUnavailable = ticket.status === 'unavailable'
  if (!isUnavailable && ticket.status !== 'failed' && blocked === undefined) return null
  return (
    <div className={bar.notices}>
      {isUnavailable && (
        <Notice title={words.noProxy.title} tone="warning" isLive>
          {isFile ? words.noProxy.noFiles : words.noProxy.text}
        </Notice>
      )}
      {ticket.status === 'failed' && <FailureNotice error={ticket.error} retry={retry} />}
      {blocked !== undefined && (
        <Notice title={words.blocked.title} tone="warning" isLive>
          {blocked === 'form' ? words.blocked.form : words.blocked.other}
        </Notice>
      )}
    </div>
  )
}
