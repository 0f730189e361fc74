import type { Device, EmergencyStop } from '@patchbay/contracts/devices'
import { OctagonX, ShieldAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Select } from '../../../components/select.tsx'
import { notify } from '../../../components/toast.tsx'
import { describeFailure } from '../../../errors/failure.ts'
import { ConfirmButton } from '../../../parts/confirm-button.tsx'
import type { ChannelAddress } from '../../devices/addresses.ts'
import { findChannel } from '../../devices/addresses.ts'
import type { DeviceStore, DevicesSnapshot } from '../../devices/device-store.ts'
import { formatTime } from '../../instruments/reading.ts'
import styles from './instrument-panel.module.css'
import { words } from './words.ts'

const MINUTES = [1, 5, 15, 60] as const
const TIMES = MINUTES.map((minutes) => ({ id: String(minutes), label: words.arm.minutes(minutes) }))

interface ArmControlProps {
  store: DeviceStore
  snapshot: DevicesSnapshot
  /** Those that can move or power something. */
  guarded: readonly Device[]
  mayChange: boolean
}

/** A person takes responsibility for a time. */
export function ArmControl({ store, snapshot, guarded, mayChange }: ArmControlProps) {
  const [isAsking, setAsking] = useState(false)
  const armed = guarded.flatMap(({ arming }) => (arming === null ? [] : [arming]))
  const [first] = armed
  if (guarded.length === 0) return null
  if (first !== undefined)
    return (
      <span className={styles.armed}>
        <Badge tone="warning">
          {words.arm.armed(first.by.name)}
          <Remaining until={first.until} />
          {first.isForAgents && ` (${words.arm.forAgents})`}
        </Badge>
        {mayChange && (
          <Button size="sm" onPress={() => disarm(store, guarded)}>
            {words.arm.disarm}
          </Button>
        )}
      </span>
    )
  if (!mayChange) return null
  return (
    <>
      <Button
        size="sm"
        icon={<ShieldAlert aria-hidden />}
        isDisabled={snapshot.stop !== null || snapshot.link === 'away' || snapshot.isPast}
        onPress={() => setAsking(true)}
      >
        {words.arm.open}
      </Button>
      {isAsking && <ArmDialog store={store} devices={guarded} close={() => setAsking(false)} />}
    </>
  )
}

/** Those with a bound channel that moves or powers something. */
export function guardedOf(
  devices: readonly Device[],
  addresses: readonly ChannelAddress[],
): readonly Device[] {
  const guarded = addresses.flatMap((address) => {
    const { device, channel } = findChannel(devices, address)
    return device !== undefined && channel?.isGuarded === true && channel.takesCommands ? [device] : []
  })
  return [...new Set(guarded)]
}

function disarm(store: DeviceStore, devices: readonly Device[]): void {
  Promise.all(devices.map(({ name }) => store.disarm(name))).catch((error: unknown) =>
    notify({ title: words.arm.notDisarmed(describeFailure(error).title), tone: 'danger' }),
  )
}

function Remaining({ until }: { until: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.round((Date.parse(until) - now) / 1_000))
  return <>{words.arm.left(Math.floor(seconds / 60), seconds % 60)}</>
}

interface ArmDialogProps {
  store: DeviceStore
  devices: readonly Device[]
  close: () => void
}

function ArmDialog({ store, devices, close }: ArmDialogProps) {
  const [minutes, setMinutes] = useState('5')
  const [isForAgents, setForAgents] = useState(false)
  const [failed, setFailed] = useState<string>()
  const [isPending, setPending] = useState(false)
  const arm = () => {
    setPending(true)
    const arming = { seconds: Number(minutes) * 60, isForAgents }
    Promise.all(devices.map(({ name }) => store.arm(name, arming))).then(close, (error: unknown) => {
      setPending(false)
      setFailed(words.arm.failed(describeFailure(error).title))
    })
  }
  return (
    <Dialog
      isOpen
      onOpenChange={close}
      size="sm"
      title={words.arm.title(devices.map(({ title }) => title).join(', '))}
      renderActions={() => (
        <>
          <Button variant="ghost" onPress={close}>
            {words.arm.cancel}
          </Button>
          <Button variant="primary" isPending={isPending} onPress={arm}>
            {words.arm.confirm}
          </Button>
        </>
      )}
    >
      <p>{words.arm.text}</p>
      <div className={styles.armFields}>
        <Select
          label={words.arm.time}
          options={TIMES}
          value={minutes}
          onChange={(id) => setMinutes(String(id))}
        />
        {/* A board on this computer cannot be reached by them. */}
        {devices.some(({ name }) => !store.getSnapshot().boards.has(name)) && (
          <Checkbox isSelected={isForAgents} onChange={setForAgents}>
            {words.arm.agents}
          </Checkbox>
        )}
        {failed !== undefined && <Notice isLive tone="danger" title={failed} />}
      </div>
    </Dialog>
  )
}

/** Acts at once: what has to be confirmed first comes too late. */
export function EmergencyStopButton({ store, mayChange }: { store: DeviceStore; mayChange: boolean }) {
  return (
    <Button
      size="sm"
      variant="danger"
      icon={<OctagonX aria-hidden />}
      isDisabled={!mayChange}
      onPress={() => {
        store
          .stop()
          .catch((error: unknown) =>
            notify({ title: words.stop.failed(describeFailure(error).title), tone: 'danger', stays: true }),
          )
      }}
    >
      {words.stop.button}
    </Button>
  )
}

interface StopNoticeProps {
  store: DeviceStore
  stop: EmergencyStop | null
  mayChange: boolean
  isPast: boolean
}

/** Stays until a person releases it. */
export function StopNotice({ store, stop, mayChange, isPast }: StopNoticeProps) {
  if (stop === null) return null
  return (
    <Notice
      isLive
      tone="danger"
      title={words.stop.title}
      action={
        // Who sees the past does not see what starts.
        mayChange &&
        !isPast && (
          <ConfirmButton
            label={words.stop.release}
            question={words.stop.question}
            confirmLabel={words.stop.confirm}
            confirm={() => store.release()}
          >
            {words.stop.text}
          </ConfirmButton>
        )
      }
    >
      <p>{words.stop.by(stop.by.name, formatTime(Date.parse(stop.since)))}</p>
      {stop.reason !== null && <p>{words.stop.reason(stop.reason)}</p>}
      {isPast && mayChange && <p>{words.stop.past}</p>}
    </Notice>
  )
}
