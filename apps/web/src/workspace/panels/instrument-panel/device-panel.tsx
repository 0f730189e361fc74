import { Cable, History, RotateCw } from 'lucide-react'
import { type ComponentType, createElement, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { CopyField } from '../../../components/copy-field.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Lamp } from '../../../components/lamp.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Skeleton } from '../../../components/skeleton.tsx'
import { splitAddress } from '../../devices/addresses.ts'
import type { DeviceStore, DevicesSnapshot } from '../../devices/device-store.ts'
import { shownStoreOf } from '../../devices/replay-store.ts'
import { formatTime } from '../../instruments/reading.ts'
import type { PanelHost, PanelProps } from '../../panel-definition.ts'
import { LOOK_BACK_MS, useIsPast } from '../../replay.ts'
import bar from '../parts/tool-bar.module.css'
import { ToolBar } from '../parts/tool-bar.tsx'
import { ToolButton } from '../parts/tool-button.tsx'
import { ArmControl, EmergencyStopButton, guardedOf, StopNotice } from './arming.tsx'
import { BindingDialog } from './binding-dialog.tsx'
import { bindingsOf, propose, type RoleOf, resolve, rolesOf } from './bindings.ts'
import type { InstrumentPanel } from './declare.ts'
import styles from './instrument-panel.module.css'
import { DevicePanelContext } from './panel-context.ts'
import { words } from './words.ts'

/** Values a second of each channel that a panel shows. */
const RATE = 10

/** The component of a declared panel. */
export function panelComponent(declaration: InstrumentPanel): ComponentType<PanelProps> {
  const roles = rolesOf(declaration.kind, declaration.binds)
  return function InstrumentPanelShown(props) {
    return <DevicePanel {...props} declaration={declaration} roles={roles} />
  }
}

interface DevicePanelProps extends PanelProps {
  readonly declaration: InstrumentPanel
  readonly roles: readonly RoleOf[]
}

function DevicePanel({
  declaration,
  roles,
  panel,
  state,
  isActive,
  mayChange,
  setState,
  host,
}: DevicePanelProps) {
  const isReplay = useIsPast(host.replay)
  const store = shownStoreOf(host, isReplay)
  const snapshot = useSyncExternalStore(
    (listener) => store.subscribe(listener),
    () => store.getSnapshot(),
  )
  const [isBinding, setBinding] = useState(false)
  // The state is another object with each change of the workspace.
  const text = JSON.stringify(bindingsOf(state))
  const bindings = useMemo(() => JSON.parse(text) as ReturnType<typeof bindingsOf>, [text])
  const addresses = useMemo(() => [...new Set(Object.values(bindings).flat())], [bindings])
  const names = [...new Set(addresses.map((address) => splitAddress(address).device))]
  useEffect(
    () => (isActive ? store.watch(addresses.map((address) => ({ address, rate: RATE }))) : undefined),
    [store, isActive, addresses],
  )
  const nodes = useMemo(
    () => declaration.view(resolve(roles, bindings, snapshot.devices)),
    [declaration, roles, bindings, snapshot.devices],
  )
  const context = useMemo(
    () => ({ store, snapshot, mayChange, isShown: isActive }),
    [store, snapshot, mayChange, isActive],
  )
  const missing = roles.filter(({ name, match }) => match.isOptional !== true && bindings[name] === undefined)
  return (
    <div className={bar.panel}>
      <ToolBar label={words.bar}>
        {mayChange && addresses.length > 0 && (
          <Button size="sm" variant="ghost" icon={<Cable aria-hidden />} onPress={() => setBinding(true)}>
            {words.bind.open}
          </Button>
        )}
        {isReplay ? <Past host={host} /> : <DeviceLamps names={names} snapshot={snapshot} />}
        <div className={bar.push} />
        {!isReplay && addresses.length > 0 && (
          <ToolButton label={words.replay.open} onPress={() => host.replay.seek(Date.now() - LOOK_BACK_MS)}>
            <History aria-hidden />
          </ToolButton>
        )}
        <ArmControl
          store={store}
          snapshot={snapshot}
          guarded={guardedOf(snapshot.devices, addresses)}
          mayChange={mayChange}
        />
        {/* Where there is nothing to stop it would be a red button that does nothing. */}
        {(snapshot.state !== 'loaded' || snapshot.devices.length > 0) && (
          <EmergencyStopButton store={store} mayChange={mayChange} />
        )}
      </ToolBar>
      <div className={bar.notices}>
        <StopNotice store={store} stop={snapshot.stop} mayChange={mayChange} isPast={isReplay} />
        {snapshot.link === 'down' && (
          <Notice isLive tone="warning" title={words.linkDown.title}>
            {words.linkDown.text}
          </Notice>
        )}
        {addresses.length > 0 && missing.length > 0 && (
          <Notice title={words.missing(missing.map(({ title }) => title))} />
        )}
      </div>
      <div className={styles.body}>
        {addresses.length === 0 ? (
          <Unbound
            panelName={panel.name}
            roles={roles}
            store={store}
            snapshot={snapshot}
            workspace={`${host.workspace.owner}/${host.workspace.repo}`}
            {...(mayChange && {
              onUse: (chosen: NonNullable<ReturnType<typeof propose>>) => setState({ bindings: chosen }),
              onChoose: () => setBinding(true),
            })}
          />
        ) : (
          <DevicePanelContext value={context}>
            {/* Made anew: no instrument shows in the past what it remembers of the present, or holds a button. */}
            {createElement('div', { key: String(isReplay), className: styles.view }, ...nodes)}
          </DevicePanelContext>
        )}
      </div>
      {isBinding && (
        <BindingDialog
          roles={roles}
          devices={snapshot.devices}
          bindings={bindings}
          onSave={(chosen) => setState({ bindings: chosen })}
          close={() => setBinding(false)}
        />
      )}
    </div>
  )
}

/** Whether a device is connected now says nothing of then. */
function Past({ host }: { host: PanelHost }) {
  const time = useSyncExternalStore(host.replay.subscribe, () => {
    const { at } = host.replay.getSnapshot()
    return at === undefined ? '' : formatTime(at)
  })
  return <Badge tone="info">{words.replay.past(time)}</Badge>
}

function DeviceLamps({ names, snapshot }: { names: readonly string[]; snapshot: DevicesSnapshot }) {
  if (snapshot.state !== 'loaded') return null
  return (
    <div className={styles.lamps}>
      {names.map((name) => {
        const device = snapshot.devices.find((each) => each.name === name)
        const status = device?.status
        return (
          <Lamp
            key={name}
            state={status === 'online' ? 'ok' : 'warning'}
            label={
              device === undefined || status === undefined
                ? words.status.gone(name)
                : words.status[status](device.title)
            }
          />
        )
      })}
    </div>
  )
}

interface UnboundProps {
  panelName: string
  roles: readonly RoleOf[]
  store: DeviceStore
  snapshot: DevicesSnapshot
  workspace: string
  /** Missing for somebody who may only look. */
  onUse?: (bindings: NonNullable<ReturnType<typeof propose>>) => void
  onChoose?: () => void
}

const MOST_OFFERED = 6
const countOf = (bindings: object) => Object.values(bindings).flat().length

/** A panel that shows no channel yet: with one press it does, where a device has what it needs. */
function Unbound({ panelName, roles, store, snapshot, workspace, onUse, onChoose }: UnboundProps) {
  const { devices, state } = snapshot
  const fitting = useMemo(
    () =>
      devices
        .flatMap((device) => {
          const bindings = propose(roles, device)
          return bindings === undefined ? [] : [{ device, bindings }]
        })
        // Whatever fills more of the panel is more likely meant.
        .toSorted((a, b) => countOf(b.bindings) - countOf(a.bindings)),
    [roles, devices],
  )
  if (state === 'loading') return <Skeleton label={words.loading} lines={3} />
  if (state === 'failed')
    return (
      <EmptyState
        title={words.failed.title}
        actions={
          <Button icon={<RotateCw aria-hidden />} onPress={() => store.reload()}>
            {words.failed.retry}
          </Button>
        }
      >
        <p>{words.failed.text}</p>
      </EmptyState>
    )
  if (devices.length === 0)
    return (
      <EmptyState title={words.none.title}>
        <div className={styles.ways}>
          <p>{words.none.text}</p>
          <CopyField label={words.none.copy} value={words.none.command(workspace)} />
          <p>{words.none.simulated}</p>
          <CopyField label={words.none.copySimulate} value={words.none.simulate(workspace)} />
        </div>
      </EmptyState>
    )
  return (
    <EmptyState
      title={words.unbound.title(panelName)}
      actions={
        onUse !== undefined && (
          <>
            {fitting.slice(0, MOST_OFFERED).map(({ device, bindings }, index) => (
              <Button
                key={device.name}
                variant={index === 0 ? 'primary' : 'secondary'}
                onPress={() => onUse(bindings)}
              >
                {words.unbound.use(device.title)}
              </Button>
            ))}
            <Button variant="ghost" onPress={() => onChoose?.()}>
              {words.unbound.choose}
            </Button>
          </>
        )
      }
    >
      <p>
        {onUse === undefined
          ? words.unbound.mayOnlyLook
          : fitting.length === 0
            ? words.unbound.noneFits
            : fitting.length === 1
              ? words.unbound.fits
              : words.unbound.fitMany}
      </p>
    </EmptyState>
  )
}
