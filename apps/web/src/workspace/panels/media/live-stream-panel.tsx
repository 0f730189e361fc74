import { type LiveStreamState, STREAM_KINDS } from '@patchbay/contracts/panels'
import { Cast } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Select } from '../../../components/select.tsx'
import type { PanelProps } from '../../panel-definition.ts'
import { AddressField } from '../parts/address-field.tsx'
import bar from '../parts/tool-bar.module.css'
import { ToolBar } from '../parts/tool-bar.tsx'
import styles from './media.module.css'
import { LiveInReplay, PictureStage, StreamStatus } from './picture-stage.tsx'
import { playHls } from './play-hls.ts'
import { playMjpeg } from './play-mjpeg.ts'
import { playVideo } from './play-video.ts'
import { PlayerTools } from './player-tools.tsx'
import { StreamError } from './stream.ts'
import { findKind } from './stream-kind.ts'
import { useFit, useSound } from './use-player.ts'
import { useFullScreen, useStream } from './use-stream.ts'
import { words } from './words.ts'

/** Less comes and goes with the network. */
const LATE_SECONDS = 3
const KINDS = STREAM_KINDS.map((id) => ({ id, label: words.kinds[id] }))

type Surface = 'video' | 'canvas' | 'image'

/** Plays HLS, MJPEG and videos from an address. */
export function LiveStreamPanel({ title, state, isActive, mayChange, setState, host }: PanelProps) {
  const { url, kind: wantedKind = 'auto', fit: storedFit } = state as LiveStreamState
  const stage = useRef<HTMLDivElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const image = useRef<HTMLImageElement>(null)
  const [surface, setSurface] = useState<Surface>('video')
  const sound = useSound(video)
  const { fit, setFit } = useFit(storedFit, mayChange ? (next) => setState({ fit: next }) : undefined)
  const [isFullScreen, toggleFullScreen] = useFullScreen(stage)
  const stream = useStream({
    url,
    way: wantedKind,
    isShown: isActive,
    async play(address, attempt) {
      if (video.current === null || canvas.current === null || image.current === null)
        throw new StreamError('ended')
      const kind = wantedKind === 'auto' ? await findKind(address, attempt.signal) : wantedKind
      attempt.showKind(kind)
      if (kind !== 'mjpeg') setSurface('video')
      if (kind === 'hls') return await playHls(address, video.current, attempt)
      if (kind === 'video') return await playVideo(address, video.current, attempt)
      return await playMjpeg(
        address,
        {
          canvas: canvas.current,
          image: image.current,
          showImage: (isShown) => setSurface(isShown ? 'image' : 'canvas'),
        },
        attempt,
      )
    },
  })
  const { lateSeconds = 0 } = stream.stats
  const goLive = () => {
    // Where the browser knows no times to go to, a stream that is begun anew is begun at its end.
    if (video.current === null || video.current.seekable.length === 0) stream.retry()
    else video.current.currentTime += lateSeconds
  }
  const hasSound = stream.kind !== 'mjpeg'
  return (
    <div className={bar.panel}>
      <ToolBar label={words.bar}>
        <AddressField
          label={words.address}
          example={words.streamExample}
          place={url}
          isReadOnly={!mayChange}
          go={(next) => {
            if (mayChange) setState({ url: next })
          }}
        />
        <div className={styles.kind}>
          <Select
            label={words.kind}
            isLabelHidden
            size="sm"
            options={KINDS}
            value={wantedKind}
            isDisabled={!mayChange}
            onChange={(id) => setState({ kind: id })}
          />
        </div>
        <PlayerTools
          sound={hasSound ? { isOn: sound.isOn, set: sound.set } : undefined}
          fit={fit}
          setFit={setFit}
          isFullScreen={isFullScreen}
          toggleFullScreen={toggleFullScreen}
        />
      </ToolBar>
      <LiveInReplay host={host} />
      <PictureStage
        ref={stage}
        stream={stream}
        fit={fit}
        none={
          url === undefined && (
            <EmptyState title={words.none.title} picture={<Cast aria-hidden />}>
              {mayChange ? words.none.stream : words.none.viewOnly}
            </EmptyState>
          )
        }
      >
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- live pictures have none */}
        <video
          ref={video}
          aria-label={words.picture(title)}
          className={styles.picture}
          hidden={surface !== 'video'}
          muted
          playsInline
          onVolumeChange={sound.follow}
        />
        <canvas
          ref={canvas}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- what is drawn has no address
          role="img"
          aria-label={words.picture(title)}
          className={styles.picture}
          hidden={surface !== 'canvas'}
        />
        <img ref={image} alt={words.picture(title)} className={styles.picture} hidden={surface !== 'image'} />
      </PictureStage>
      <StreamStatus stream={stream}>
        {lateSeconds > LATE_SECONDS && (
          <Button size="sm" variant="ghost" onPress={goLive}>
            {words.goLive}
          </Button>
        )}
      </StreamStatus>
    </div>
  )
}
