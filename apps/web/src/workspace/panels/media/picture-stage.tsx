import { RotateCw } from 'lucide-react'
import { type ReactNode, type Ref } from 'react'
import { Button } from '../../../components/button.tsx'
import { classes } from '../../../components/classes.ts'
import { Notice } from '../../../components/notice.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import type { PanelHost } from '../../panel-definition.ts'
import { useIsPast } from '../../replay.ts'
import bar from '../parts/tool-bar.module.css'
import styles from './media.module.css'
import type { Picture, Signal, StreamError, StreamStats } from './stream.ts'
import { type Stream, useSecondsUntil } from './use-stream.ts'
import { words } from './words.ts'

const MOVING: ReadonlySet<string> = new Set<Picture>(['live', 'playing', 'unverified'])

interface PictureStageProps {
  ref?: Ref<HTMLDivElement>
  stream: Stream
  /** How the picture fills the panel. */
  fit: 'contain' | 'cover'
  /** In place of a picture where no address is given. */
  none: ReactNode
  /** The elements that show the picture. */
  children: ReactNode
}

/** Where a picture is shown: dimmed while it is not live, with what is the matter over it. */
export function PictureStage({ ref, stream, fit, none, children }: PictureStageProps) {
  const { signal, retry } = stream
  return (
    <div ref={ref} className={classes(styles.stage)} data-fit={fit} data-moving={MOVING.has(signal.status)}>
      {children}
      <Overlay signal={signal} retry={retry} none={none} />
    </div>
  )
}

function Overlay({ signal, retry, none }: { signal: Signal; retry: () => void; none: ReactNode }) {
  switch (signal.status) {
    case 'idle':
      return <div className={styles.over}>{none}</div>
    case 'connecting':
      return (
        <div className={styles.over}>
          <Spinner label={words.states.connecting} />
        </div>
      )
    case 'ended':
      return (
        <Message title={words.states.ended} action={words.playAgain} retry={retry}>
          {undefined}
        </Message>
      )
    case 'lost':
      return <Lost fault={signal.fault} retryAt={signal.retryAt} retry={retry} />
    case 'failed':
      return (
        <Message title={words.states.failed} action={words.tryAgain} retry={retry}>
          {why(signal.fault)}
        </Message>
      )
    case 'live':
    case 'playing':
    case 'unverified':
    case 'stalled':
    default:
      return null
  }
}

function why({ reason, detail }: StreamError): string {
  return words.reasons[reason](detail)
}

function Lost({ fault, retryAt, retry }: { fault: StreamError; retryAt: number; retry: () => void }) {
  const left = useSecondsUntil(retryAt)
  return (
    <Message title={words.states.lost} action={words.tryNow} retry={retry} note={words.again(left)}>
      {why(fault)}
    </Message>
  )
}

interface MessageProps {
  title: string
  action: string
  retry: () => void
  note?: string
  children: ReactNode
}

function Message({ title, action, retry, note, children }: MessageProps) {
  return (
    <div className={styles.over}>
      <div className={styles.message}>
        <h2 className={styles.title}>{title}</h2>
        {children !== undefined && <p className={styles.why}>{children}</p>}
        {note !== undefined && <p className={styles.note}>{note}</p>}
        <Button size="sm" icon={<RotateCw aria-hidden />} onPress={retry}>
          {action}
        </Button>
      </div>
    </div>
  )
}

interface StreamStatusProps {
  stream: Stream
  /** Of several pictures, which one this is about. */
  label?: string
  children?: ReactNode
}

/** In one line: how it is with the signal, and what it is made of. */
export function StreamStatus({ stream: { signal, stats, kind }, label, children }: StreamStatusProps) {
  const text = words.states[signal.status]
  return (
    <div className={classes(bar.status, styles.status)}>
      <output className={styles.state} data-status={signal.status}>
        <span aria-hidden="true" className={styles.lamp} />
        {label === undefined ? text : `${label}: ${text}`}
      </output>
      {MOVING.has(signal.status) && (
        <span>{[kind === undefined ? [] : words.kindNames[kind], ...figures(stats)].flat().join(' · ')}</span>
      )}
      {signal.status === 'unverified' && <span>{words.unverified}</span>}
      {children}
    </div>
  )
}

function figures(stats: StreamStats): string[] {
  const { width, height, framesPerSecond, bitsPerSecond, roundTripMs, behindSeconds } = stats
  const { size, rate, bitrate, roundTrip, behind } = words.stats
  return [
    width === undefined || height === undefined ? undefined : size(width, height),
    framesPerSecond === undefined ? undefined : rate(framesPerSecond),
    bitsPerSecond === undefined ? undefined : bitrate(bitsPerSecond),
    roundTripMs === undefined ? undefined : roundTrip(roundTripMs),
    behindSeconds === undefined ? undefined : behind(behindSeconds),
  ].filter((text) => text !== undefined)
}

/** Beside panels that show what was: pictures are not kept, and what moves here is the present. */
export function LiveInReplay({ host: { replay } }: { host: PanelHost }) {
  const isReplay = useIsPast(replay)
  if (!isReplay) return null
  return (
    <div className={bar.notices}>
      <Notice isLive title={words.liveInReplay} />
    </div>
  )
}
