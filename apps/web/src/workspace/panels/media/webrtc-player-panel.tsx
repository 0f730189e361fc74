import type { WebrtcPlayerState } from '@patchbay/contracts/panels'
import { ChartNoAxesColumn, Video } from 'lucide-react'
import { useRef, useState } from 'react'
import { EmptyState } from '../../../components/empty-state.tsx'
import type { PanelProps } from '../../panel-definition.ts'
import { AddressField } from '../parts/address-field.tsx'
import bar from '../parts/tool-bar.module.css'
import { ToolBar } from '../parts/tool-bar.tsx'
import { ToolToggle } from '../parts/tool-toggle.tsx'
import styles from './media.module.css'
import { LiveInReplay, PictureStage, StreamStatus } from './picture-stage.tsx'
import { playWhep } from './play-whep.ts'
import { PlayerTools } from './player-tools.tsx'
import { StreamError, type StreamStats } from './stream.ts'
import { useFit, useSound } from './use-player.ts'
import { useFullScreen, useStream } from './use-stream.ts'
import { words } from './words.ts'

/** Plays one stream from a WHEP endpoint, with little delay. */
export function WebrtcPlayerPanel({ title, state, isActive, mayChange, setState, host }: PanelProps) {
  const { url, fit: storedFit } = state as WebrtcPlayerState
  const stage = useRef<HTMLDivElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const sound = useSound(video)
  const { fit, setFit } = useFit(storedFit, mayChange ? (next) => setState({ fit: next }) : undefined)
  const [isFullScreen, toggleFullScreen] = useFullScreen(stage)
  const [hasDetails, setDetails] = useState(false)
  const stream = useStream({
    url,
    way: 'whep',
    isShown: isActive,
    async play(address, attempt) {
      if (video.current === null) throw new StreamError('ended')
      attempt.showKind('whep')
      await playWhep(address, video.current, attempt)
    },
  })
  return (
    <div className={bar.panel}>
      <ToolBar label={words.bar}>
        <AddressField
          label={words.address}
          example={words.whepExample}
          place={url}
          isReadOnly={!mayChange}
          go={(next) => {
            if (mayChange) setState({ url: next })
          }}
        />
        <ToolToggle label={words.details} isSelected={hasDetails} onChange={setDetails}>
          <ChartNoAxesColumn aria-hidden />
        </ToolToggle>
        <PlayerTools
          sound={{ isOn: sound.isOn, set: sound.set }}
          fit={fit}
          setFit={setFit}
          isFullScreen={isFullScreen}
          toggleFullScreen={toggleFullScreen}
        />
      </ToolBar>
      <LiveInReplay host={host} />
      <div className={styles.body}>
        <PictureStage
          ref={stage}
          stream={stream}
          fit={fit}
          none={
            url === undefined && (
              <EmptyState title={words.none.title} picture={<Video aria-hidden />}>
                {mayChange ? words.none.whep : words.none.viewOnly}
              </EmptyState>
            )
          }
        >
          {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- live pictures have none */}
          <video
            ref={video}
            aria-label={words.picture(title)}
            className={styles.picture}
            muted
            playsInline
            onVolumeChange={sound.follow}
          />
        </PictureStage>
        {hasDetails && <Details stats={stream.stats} />}
      </div>
      <StreamStatus stream={stream} />
    </div>
  )
}

function Details({ stats }: { stats: StreamStats }) {
  const { width, height, packetsLost, packetsReceived = 0, roundTripMs, jitterMs } = stats
  const { dash, milliseconds } = words.table
  const rows = [
    [
      words.table.resolution,
      width === undefined || height === undefined ? undefined : words.stats.size(width, height),
    ],
    [words.table.rate, stats.framesPerSecond],
    [
      words.table.bitrate,
      stats.bitsPerSecond === undefined ? undefined : words.stats.bitrate(stats.bitsPerSecond),
    ],
    [
      words.table.lost,
      packetsLost === undefined
        ? undefined
        : words.table.lostOf(packetsLost, packetsLost / Math.max(1, packetsLost + packetsReceived)),
    ],
    [words.table.roundTrip, roundTripMs === undefined ? undefined : milliseconds(roundTripMs)],
    [words.table.jitter, jitterMs === undefined ? undefined : milliseconds(jitterMs)],
    [words.table.codec, stats.codec],
  ] as const
  return (
    <dl className={styles.details} aria-label={words.details}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? dash}</dd>
        </div>
      ))}
    </dl>
  )
}
