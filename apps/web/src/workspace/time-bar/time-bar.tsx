import type { DeviceMarker, Recorder } from '@patchbay/contracts/devices'
import {
  Bookmark,
  Circle,
  FastForward,
  Link2,
  Pause,
  Play,
  Radio,
  Rewind,
  SkipBack,
  SkipForward,
  Square,
} from 'lucide-react'
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Select } from '../../components/select.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { notify } from '../../components/toast.tsx'
import { Tooltip } from '../../components/tooltip.tsx'
import { describeFailure } from '../../errors/failure.ts'
import { fetchMarkers, fetchRecorder, setRecording } from '../devices/recorded.api.ts'
import type { PanelHost } from '../panel-definition.ts'
import { addressAt, SPEEDS } from '../replay.ts'
import { useWorkspace, useWorkspaceSession } from '../workspace-context.ts'
import { MomentsDialog } from './moments-dialog.tsx'
import styles from './time-bar.module.css'
import { words } from './words.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const STEP_MS = 10_000
const SPANS = [
  { ms: 5 * MINUTE_MS, label: words.spans.minutes(5) },
  { ms: 15 * MINUTE_MS, label: words.spans.minutes(15) },
  { ms: HOUR_MS, label: words.spans.hours(1) },
  { ms: 6 * HOUR_MS, label: words.spans.hours(6) },
  { ms: 24 * HOUR_MS, label: words.spans.hours(24) },
  { ms: 7 * 24 * HOUR_MS, label: words.spans.week },
].map(({ ms, label }) => ({ id: String(ms), label }))
const SPEED_OPTIONS = SPEEDS.map((speed) => ({ id: String(speed), label: words.times(speed) }))
/** Two markers closer than this are one place for the buttons that go from one to the next. */
const SAME_MS = 500

interface TimeBarProps {
  /** Whoever has just pressed a button that is gone now goes on here. */
  takesFocus: boolean
}

/** Which moment of the past the panels of devices show, and everything that moves it. */
export function TimeBar({ takesFocus }: TimeBarProps) {
  const { replay } = useWorkspaceSession().host
  const { at } = useSyncExternalStore(replay.subscribe, replay.getSnapshot)
  return at === undefined ? null : <PastBar at={at} takesFocus={takesFocus} />
}

function PastBar({ at, takesFocus }: TimeBarProps & { at: number }) {
  const { host, dock } = useWorkspaceSession()
  const mayChange = useWorkspace((snapshot) => snapshot.mayChange)
  const { replay } = host
  const { isPlaying, speed, isLoading, hasFailed } = useSyncExternalStore(
    replay.subscribe,
    replay.getSnapshot,
  )
  const [view, setView] = useState(() => viewAround(at, HOUR_MS))
  if (at < view.from || at > view.from + view.span) setView(viewAround(at, view.span))
  const { markers, recorder, setRecorder } = useRecordings(host)
  const [isChoosing, setChoosing] = useState(false)
  const first = useRef<HTMLButtonElement>(null)
  useFocus(first, takesFocus)
  const before = markers.findLast((marker) => Date.parse(marker.at) < at - SAME_MS)
  const after = markers.find((marker) => Date.parse(marker.at) > at + SAME_MS)
  const goLive = () => {
    replay.goLive()
    const tabId = dock.get()?.currentTab()
    // Its button is gone, and the focus must not go with it.
    if (tabId !== undefined) setTimeout(() => dock.get()?.focusTab(tabId))
  }
  return (
    <section aria-label={words.bar} className={styles.bar}>
      <div className={styles.row}>
        <div className={styles.said}>
          <output className={styles.title}>{words.title}</output>
          <span className={styles.explained}>{words.explained}</span>
        </div>
        <Button variant="primary" size="sm" icon={<Radio aria-hidden />} onPress={goLive}>
          {words.live}
        </Button>
      </div>
      <div className={styles.row}>
        <div className={styles.keys}>
          <Tool label={words.back} onPress={() => replay.seek(at - STEP_MS)}>
            <Rewind aria-hidden />
          </Tool>
          <Tooltip text={isPlaying ? words.pause : words.play} placement="bottom">
            <IconButton
              ref={first}
              label={isPlaying ? words.pause : words.play}
              variant="secondary"
              size="sm"
              onPress={() => (isPlaying ? replay.pause() : replay.play())}
            >
              {isPlaying ? <Pause aria-hidden /> : <Play aria-hidden />}
            </IconButton>
          </Tooltip>
          <Tool label={words.forward} onPress={() => replay.seek(at + STEP_MS)}>
            <FastForward aria-hidden />
          </Tool>
        </div>
        <Select
          label={words.speed}
          isLabelHidden
          size="sm"
          options={SPEED_OPTIONS}
          value={String(speed)}
          onChange={(id) => replay.setSpeed(SPEEDS.find((each) => String(each) === id) ?? 1)}
        />
        <p className={styles.time}>
          <span className={styles.day}>{words.day(at)}</span>{' '}
          <time dateTime={new Date(at).toISOString()}>{words.clock(at)}</time>
        </p>
        <span className={styles.busy}>{isLoading && <Spinner size="sm" label={words.loading} />}</span>
        <div className={styles.push} />
        {before !== undefined && (
          <Tool label={words.previous(before.label)} onPress={() => replay.seek(Date.parse(before.at))}>
            <SkipBack aria-hidden />
          </Tool>
        )}
        {after !== undefined && (
          <Tool label={words.next(after.label)} onPress={() => replay.seek(Date.parse(after.at))}>
            <SkipForward aria-hidden />
          </Tool>
        )}
        <Button size="sm" variant="ghost" icon={<Bookmark aria-hidden />} onPress={() => setChoosing(true)}>
          {words.moments}
        </Button>
        <Button
          size="sm"
          variant="ghost"
          icon={<Link2 aria-hidden />}
          onPress={() => void copyLink(at, replay.pause)}
        >
          {words.copy}
        </Button>
        <Recording host={host} recorder={recorder} onChange={setRecorder} mayChange={mayChange} />
      </div>
      <div className={styles.row}>
        <div className={styles.scrub}>
          <div className={styles.ticks} aria-hidden="true">
            {markers.map((marker) => (
              <Tick key={marker.id} marker={marker} {...view} />
            ))}
          </div>
          <input
            type="range"
            aria-label={words.moment}
            aria-valuetext={words.full(at)}
            min={view.from}
            max={view.from + view.span}
            step={1_000}
            value={at}
            onChange={({ currentTarget }) => replay.seek(Number(currentTarget.value))}
            className={styles.slider}
          />
          <div className={styles.ends} aria-hidden="true">
            <span>{words.short(view.from)}</span>
            <span>{words.short(view.from + view.span)}</span>
          </div>
        </div>
        <Select
          label={words.span}
          isLabelHidden
          size="sm"
          options={SPANS}
          value={String(view.span)}
          onChange={(id) => setView(viewAround(at, Number(id)))}
        />
      </div>
      <output className={styles.failed}>{hasFailed && words.failed}</output>
      {isChoosing && (
        <MomentsDialog at={at} markers={markers} mayChange={mayChange} close={() => setChoosing(false)} />
      )}
    </section>
  )
}

/** The moment in the middle, and nothing that is yet to come. */
function viewAround(at: number, span: number): { readonly from: number; readonly span: number } {
  return { from: Math.min(at + span / 2, Math.max(at, Date.now())) - span, span }
}

function useFocus(button: RefObject<HTMLButtonElement | null>, takesFocus: boolean): void {
  const [isTaken] = useState(takesFocus)
  useEffect(() => {
    if (isTaken && document.activeElement === document.body) button.current?.focus()
  }, [button, isTaken])
}

function Tool({
  label,
  onPress,
  children,
}: {
  label: string
  onPress: () => void
  children: React.ReactNode
}) {
  return (
    <Tooltip text={label} placement="bottom">
      <IconButton label={label} size="sm" onPress={onPress}>
        {children}
      </IconButton>
    </Tooltip>
  )
}

function Tick({ marker, from, span }: { marker: DeviceMarker; from: number; span: number }) {
  const share = (Date.parse(marker.at) - from) / span
  if (share < 0 || share > 1) return null
  return <span title={marker.label} className={styles.tick} style={{ insetInlineStart: `${share * 100}%` }} />
}

async function copyLink(at: number, pause: () => void): Promise<void> {
  try {
    await navigator.clipboard.writeText(addressAt(location.href, at))
    notify({ title: words.copied })
  } catch {
    // No clipboard without HTTPS or permission. The address names the moment where time stands still.
    pause()
    notify({ title: words.notCopied, tone: 'info' })
  }
}

interface RecordingProps {
  host: PanelHost
  recorder: Recorder | undefined
  onChange: (recorder: Recorder) => void
  mayChange: boolean
}

/** What is not numbers can be replayed only where it was recorded. */
function Recording({ host, recorder, onChange, mayChange }: RecordingProps) {
  const [isPending, setPending] = useState(false)
  if (recorder === undefined) return null
  const isOn = recorder.since !== null
  const change = async () => {
    setPending(true)
    try {
      onChange(await setRecording(host, !isOn))
    } catch (error) {
      notify({ title: words.recordingFailed(describeFailure(error).title), tone: 'danger' })
    } finally {
      setPending(false)
    }
  }
  return (
    <>
      {recorder.since !== null && <Badge tone="danger">{words.recording(Date.parse(recorder.since))}</Badge>}
      {mayChange && (
        <Tooltip text={isOn ? words.stopRecording : words.notRecording} placement="bottom">
          <Button
            size="sm"
            variant="ghost"
            isPending={isPending}
            icon={isOn ? <Square aria-hidden /> : <Circle aria-hidden />}
            onPress={() => void change()}
          >
            {isOn ? words.stopRecording : words.record}
          </Button>
        </Tooltip>
      )}
    </>
  )
}

/** Markers and the recorder, read again when somebody has changed them. */
function useRecordings(host: PanelHost) {
  const [markers, setMarkers] = useState<readonly DeviceMarker[]>([])
  const [recorder, setRecorder] = useState<Recorder>()
  useEffect(() => {
    let ending = new AbortController()
    const load = () => {
      ending.abort()
      ending = new AbortController()
      const { signal } = ending
      // What was known stays: the next news asks again.
      void fetchMarkers(host, signal).then(setMarkers, () => undefined)
      void fetchRecorder(host, signal).then(setRecorder, () => undefined)
    }
    load()
    const stop = host.follow((news) => {
      if (news === 'recordings' || news === 'back') load()
    })
    return () => {
      stop()
      ending.abort()
    }
  }, [host])
  return { markers, recorder, setRecorder }
}
