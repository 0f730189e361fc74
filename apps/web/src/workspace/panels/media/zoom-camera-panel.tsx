import type { ZoomCameraState } from '@patchbay/contracts/panels'
import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  Camera as CameraIcon,
  Link2,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { classes } from '../../../components/classes.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Select } from '../../../components/select.tsx'
import type { PanelProps } from '../../panel-definition.ts'
import { useIsPast } from '../../replay.ts'
import { words as deviceWords } from '../instrument-panel/words.ts'
import { AddressField } from '../parts/address-field.tsx'
import bar from '../parts/tool-bar.module.css'
import { ToolBar } from '../parts/tool-bar.tsx'
import { ToolButton } from '../parts/tool-button.tsx'
import { ToolToggle } from '../parts/tool-toggle.tsx'
import { type Aim, aimAt, type Region, regionOf, USUAL_VIEW } from './camera-aim.ts'
import media from './media.module.css'
import { LiveInReplay, PictureStage, StreamStatus } from './picture-stage.tsx'
import { playWhep } from './play-whep.ts'
import { RegionLayer } from './region-layer.tsx'
import { StreamError } from './stream.ts'
import { type Camera, useCamera } from './use-camera.ts'
import { useStream } from './use-stream.ts'
import { words } from './words.ts'
import styles from './zoom-camera.module.css'

const NO_DEVICE = ''
/** A drawing of the wide picture's region, where there is no second stream. */
const DRAW_EVERY_MS = 100

/** A wide picture on which a region is drawn, the same region near, and a device that aims the camera there. */
export function ZoomCameraPanel({ title, state, isActive, mayChange, setState, host }: PanelProps) {
  const { wideUrl, nearUrl, device, region, view = USUAL_VIEW } = state as ZoomCameraState
  const wide = useRef<HTMLVideoElement>(null)
  const near = useRef<HTMLVideoElement>(null)
  const [isEditing, setEditing] = useState(false)
  const wideStream = useWhep(wideUrl, wide, isActive)
  const nearStream = useWhep(nearUrl, near, isActive)
  const isReplay = useIsPast(host.replay)
  // The pictures are live, and so is where the camera looks; who looks at the past tells no device anything.
  const camera = useCamera(host, device, { isShown: isActive, mayChange, isPast: isReplay })
  const mayAim = mayChange && !isReplay
  const { width, height } = wideStream.stats
  const picture = width === undefined || height === undefined ? undefined : { width, height }
  // A picture that only waits for its next one is still there to be drawn on.
  const isMoving = wideStream.signal.status === 'live' || wideStream.signal.status === 'stalled'
  const choose = (next: Region) => {
    setState({ region: next })
    if (device !== undefined) camera.send({ ...aimAt(next, view) })
  }
  const hasBar = isEditing || (wideUrl === undefined && nearUrl === undefined && mayChange)
  const devices = [{ id: NO_DEVICE, label: words.camera.noDevice }, ...offeredWith(camera, device)]
  return (
    <div className={classes(bar.panel, styles.panel)}>
      <ToolBar label={words.bar}>
        <ToolToggle label={words.camera.addresses} isSelected={hasBar} onChange={setEditing}>
          <Link2 aria-hidden />
        </ToolToggle>
        <div className={bar.wide}>
          <Select
            label={words.camera.device}
            isLabelHidden
            size="sm"
            options={devices}
            value={device ?? NO_DEVICE}
            isDisabled={!mayChange}
            onChange={(id) => setState({ device: id === NO_DEVICE ? null : id })}
          />
        </div>
        {device !== undefined && <Aiming camera={camera} />}
      </ToolBar>
      <LiveInReplay host={host} />
      {hasBar && (
        <ToolBar label={words.camera.addresses}>
          {(['wideUrl', 'nearUrl'] as const).map((key) => (
            <AddressField
              key={key}
              label={words.camera[key]}
              example={words.camera[key]}
              place={key === 'wideUrl' ? wideUrl : nearUrl}
              isReadOnly={!mayChange}
              go={(url) => {
                if (mayChange) setState({ [key]: url })
              }}
            />
          ))}
        </ToolBar>
      )}
      {camera.failed !== undefined && (
        <div className={bar.notices}>
          <Notice title={words.camera.notAimed} tone="danger" isLive>
            {words.camera.why(camera.failed)}
          </Notice>
        </div>
      )}
      <div className={styles.pictures}>
        <div className={styles.half}>
          <PictureStage
            stream={wideStream}
            fit="contain"
            none={
              wideUrl === undefined && <None text={mayChange ? words.camera.none : words.none.viewOnly} />
            }
          >
            <Picture video={wide} label={words.camera.wide(title)} />
            {isMoving && (
              <RegionLayer
                picture={picture}
                region={region}
                seen={camera.aim === undefined ? undefined : regionOf(camera.aim, view)}
                isReadOnly={!mayAim}
                choose={choose}
              />
            )}
          </PictureStage>
          <StreamStatus stream={wideStream} label={words.camera.wideName} />
        </div>
        <div className={styles.half}>
          {nearUrl === undefined ? (
            <Crop video={wide} region={isMoving ? region : undefined} label={words.camera.near(title)} />
          ) : (
            <>
              <PictureStage stream={nearStream} fit="contain" none={false}>
                <Picture video={near} label={words.camera.near(title)} />
              </PictureStage>
              <StreamStatus stream={nearStream} label={words.camera.nearName} />
            </>
          )}
        </div>
      </div>
      {device !== undefined && <AimStatus camera={camera} />}
    </div>
  )
}

function useWhep(url: string | undefined, video: RefObject<HTMLVideoElement | null>, isShown: boolean) {
  return useStream({
    url,
    way: 'whep',
    isShown,
    async play(address, attempt) {
      if (video.current === null) throw new StreamError('ended')
      attempt.showKind('whep')
      await playWhep(address, video.current, attempt)
    },
  })
}

function None({ text }: { text: string }) {
  return (
    <EmptyState title={words.none.title} picture={<CameraIcon aria-hidden />}>
      {text}
    </EmptyState>
  )
}

function Picture({ video, label }: { video: RefObject<HTMLVideoElement | null>; label: string }) {
  return <video ref={video} aria-label={label} className={media.picture} muted playsInline />
}

/** The region of the wide picture, larger: what a camera without a second lens can show of it. */
function Crop({
  video,
  region,
  label,
}: {
  video: RefObject<HTMLVideoElement | null>
  region: Region | undefined
  label: string
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (region === undefined) return undefined
    const draw = () => {
      const context = canvas.current?.getContext('2d')
      if (!video.current || !context || !canvas.current || video.current.videoWidth === 0) return
      const { videoWidth, videoHeight } = video.current
      const width = Math.max(1, Math.round(region.width * videoWidth))
      const height = Math.max(1, Math.round(region.height * videoHeight))
      if (canvas.current.width !== width) canvas.current.width = width
      if (canvas.current.height !== height) canvas.current.height = height
      const [left, top] = [region.x * videoWidth, region.y * videoHeight]
      context.drawImage(video.current, left, top, width, height, 0, 0, width, height)
    }
    draw()
    const timer = setInterval(draw, DRAW_EVERY_MS)
    return () => clearInterval(timer)
  }, [video, region])
  return (
    <>
      <div className={media.stage} data-fit="contain">
        <canvas
          ref={canvas}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- what is drawn has no address
          role="img"
          aria-label={label}
          className={media.picture}
          hidden={region === undefined}
        />
        {region === undefined && (
          <div className={media.over}>
            <p className={media.why}>{words.camera.noRegion}</p>
          </div>
        )}
      </div>
      <div className={bar.status}>{words.camera.crop}</div>
    </>
  )
}

/** One that is bound is among the choices also while its device is away. */
function offeredWith({ offered }: Camera, device: string | undefined): Camera['offered'] {
  return device === undefined || offered.some(({ id }) => id === device)
    ? offered
    : [...offered, { id: device, label: device }]
}

const STEP_DEGREES = 5
/** As a share of what is seen: near by, the same angle is a long way. */
const stepAt = (zoom: number) => Math.max(0.1, Math.round((STEP_DEGREES / zoom) * 10) / 10)

const MOVES = [
  ['left', ArrowLeft, ({ pan, zoom }: Aim) => ({ pan: pan - stepAt(zoom) })],
  ['right', ArrowRight, ({ pan, zoom }: Aim) => ({ pan: pan + stepAt(zoom) })],
  ['up', ArrowUp, ({ tilt, zoom }: Aim) => ({ tilt: tilt + stepAt(zoom) })],
  ['down', ArrowDown, ({ tilt, zoom }: Aim) => ({ tilt: tilt - stepAt(zoom) })],
  ['out', ZoomOut, ({ zoom }: Aim) => ({ zoom: zoom / 1.25 })],
  ['in', ZoomIn, ({ zoom }: Aim) => ({ zoom: zoom * 1.25 })],
] as const

function Aiming({ camera: { aim, presets, preset, send, disabled } }: { camera: Camera }) {
  const isDisabled = disabled !== undefined || aim === undefined
  return (
    <>
      {MOVES.map(([name, Icon, move]) => (
        <ToolButton
          key={name}
          label={words.camera.moves[name]}
          isDisabled={isDisabled}
          onPress={() => {
            if (aim !== undefined) send(move(aim))
          }}
        >
          <Icon aria-hidden />
        </ToolButton>
      ))}
      {presets.length > 0 && (
        <div className={bar.middling}>
          <Select
            label={words.camera.preset}
            isLabelHidden
            size="sm"
            options={presets.map((id) => ({ id, label: deviceWords.option(id) }))}
            value={preset ?? null}
            isDisabled={isDisabled}
            onChange={(id) => send({ preset: String(id) })}
          />
        </div>
      )}
    </>
  )
}

function AimStatus({ camera: { device, aim, isStale, disabled, isSending } }: { camera: Camera }) {
  const isOnline = device?.status === 'online'
  return (
    <div className={bar.status}>
      <output>
        {device === undefined
          ? words.camera.gone
          : isOnline
            ? device.title
            : words.camera.offline(device.title)}
      </output>
      {aim !== undefined && isOnline && <span>{words.camera.aim(aim.pan, aim.tilt, aim.zoom)}</span>}
      {aim !== undefined && isOnline && isStale && <span>{words.camera.stale}</span>}
      {isOnline && disabled !== undefined && <span>{words.camera.disabled(disabled)}</span>}
      {isSending && <span>{words.camera.sending}</span>}
    </div>
  )
}
