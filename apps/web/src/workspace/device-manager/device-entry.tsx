import { Problem } from '@patchbay/contracts/core'
import {
  type Device,
  type DeviceConnection,
  deleteDevice,
  deleteDeviceGrant,
  getDevice,
  postDeviceKey,
  putDeviceGrant,
} from '@patchbay/contracts/devices'
import { CircuitBoard, LayoutDashboard } from 'lucide-react'
import { useCallback, useId, useState } from 'react'
import { MenuTrigger } from 'react-aria-components/Menu'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Menu } from '../../components/menu.tsx'
import { TextField } from '../../components/text-field.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Entries, Entry } from '../../parts/entries.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { ask } from '../../server/server.api.ts'
import { useAction } from '../../server/use-action.ts'
import { useSession } from '../../session/session-context.tsx'
import { useLoaded } from '../../session/use-loaded.ts'
import { splitAddress } from '../devices/addresses.ts'
import type { DeviceStore, DevicesSnapshot } from '../devices/device-store.ts'
import type { PanelState } from '../panel-definition.ts'
import { fittingPanels } from '../panels/devices/device-panels.ts'
import { ArmControl } from '../panels/instrument-panel/arming.tsx'
import { bindingsOf } from '../panels/instrument-panel/bindings.ts'
import { isCamera } from '../panels/media/use-camera.ts'
import { useCatalog, useWorkspaceSession } from '../workspace-context.ts'
import styles from './device-dialog.module.css'
import { words } from './words.ts'

const TONES = { online: 'ok', offline: 'warning', never: 'neutral' } as const

interface DeviceEntryProps {
  device: Device
  store: DeviceStore
  snapshot: DevicesSnapshot
  mayChange: boolean
  onNewKey: (made: { readonly key: string; readonly connection: DeviceConnection | null }) => void
  close: () => void
}

export function DeviceEntry({ device, store, snapshot, mayChange, onNewKey, close }: DeviceEntryProps) {
  const { workspace } = useWorkspaceSession()
  const [isManaging, setManaging] = useState(false)
  const details = useId()
  const { name, title, owner, repo, status, channels } = device
  const isHome = owner === workspace.owner && repo === workspace.repo
  const isGuarded = channels.some((channel) => channel.isGuarded && channel.takesCommands)
  return (
    <>
      <Entry
        icon={<CircuitBoard aria-hidden />}
        title={name}
        badges={<Badge tone={TONES[status]}>{words.status[status]}</Badge>}
        facts={[
          ...(title === name ? [] : [title]),
          words.channels(channels.length),
          ...(isHome ? [] : [words.home(owner, repo)]),
        ]}
        actions={
          <>
            <ArmControl
              store={store}
              snapshot={snapshot}
              guarded={isGuarded ? [device] : []}
              mayChange={mayChange}
            />
            {mayChange && <OpenPanel device={device} close={close} />}
            {mayChange && isHome && (
              <Button
                size="sm"
                aria-label={words.manageOf(name)}
                aria-expanded={isManaging}
                aria-controls={details}
                onPress={() => setManaging(!isManaging)}
              >
                {words.manage}
              </Button>
            )}
          </>
        }
      />
      {isManaging && mayChange && isHome && (
        <div id={details} className={styles.details}>
          <Grants device={name} />
          <Ownership device={name} onNewKey={onNewKey} reload={() => store.reload()} />
        </div>
      )}
    </>
  )
}

/** The panels that the device has everything for. */
export function OpenPanel({ device, close }: { device: Device; close: () => void }) {
  const { host } = useWorkspaceSession()
  const { panels } = useCatalog()
  const fitting = waysToShow(device).flatMap((way) => {
    const panel = [...panels.values()].find(({ kind }) => kind === way.kind)
    return panel === undefined ? [] : [{ ...way, label: panel.name }]
  })
  if (fitting.length === 0) return null
  return (
    <MenuTrigger>
      <Button size="sm" icon={<LayoutDashboard aria-hidden />} aria-label={words.openPanelOf(device.name)}>
        {words.openPanel}
      </Button>
      <Menu
        aria-label={words.openPanelOf(device.name)}
        entries={fitting.map(({ kind, label }) => ({ id: kind, label }))}
        onAction={(id) => {
          const chosen = fitting.find(({ kind }) => kind === id)
          if (chosen !== undefined && host.openPanel(undefined, chosen.kind, chosen.stateFor)) close()
        }}
      />
    </MenuTrigger>
  )
}

interface WayToShow {
  readonly kind: string
  /** For a tab that shows the device, or nothing yet. `undefined`: it shows something else, and is left alone. */
  readonly stateFor: (shown: PanelState) => PanelState | undefined
}

function waysToShow(device: Device): readonly WayToShow[] {
  const { name } = device
  const declared = fittingPanels(device).map(
    ({ kind, bindings }): WayToShow => ({
      kind,
      stateFor(shown) {
        const bound = Object.values(bindingsOf(shown)).flat()
        if (bound.length === 0) return { bindings }
        return bound.some((address) => splitAddress(address).device === name) ? {} : undefined
      },
    }),
  )
  if (!isCamera(device)) return declared
  const zoomCamera: WayToShow = {
    kind: 'zoom-camera',
    stateFor: ({ device: aimed }) => (aimed === undefined || aimed === name ? { device: name } : undefined),
  }
  return [zoomCamera, ...declared]
}

/** The other workspaces that have the device. */
function Grants({ device }: { device: string }) {
  const { workspace } = useWorkspaceSession()
  const { change } = useSession()
  const load = useCallback(
    async (signal: AbortSignal) => {
      const { body } = await ask(getDevice, { params: { ...workspace, device } }, { signal })
      return { items: body.grants }
    },
    [workspace, device],
  )
  const { answer, reload } = useLoaded(load)
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState<{ readonly text: string; readonly why: string }>()
  const [toOwner = '', toRepo = '', ...more] = text.split('/')
  const isComplete = toOwner !== '' && toRepo !== '' && more.length === 0
  const isHere = toOwner === workspace.owner && toRepo === workspace.repo
  const granting = useAction(async () => {
    try {
      await change(putDeviceGrant, { params: { ...workspace, device, toOwner, toRepo } })
      setText('')
      reload()
    } catch (error) {
      const why = error instanceof Problem ? words.grant.problems[error.code] : undefined
      if (why === undefined) throw error
      // Said at the field, where it can be mended.
      setWrong({ text, why })
    }
  })
  return (
    <section aria-label={words.grant.titleOf(device)} className={styles.made}>
      <h3 className={styles.heading}>{words.grant.title}</h3>
      <Entries
        label={words.grant.title}
        answer={answer}
        reload={reload}
        empty={words.grant.none}
        keyOf={({ owner, repo }) => `${owner}/${repo}`}
      >
        {({ owner, repo }) => (
          <Entry
            title={`${owner}/${repo}`}
            facts={[]}
            actions={
              <ConfirmButton
                label={words.grant.end}
                fullLabel={words.grant.endOf(`${owner}/${repo}`)}
                question={words.grant.question(device, `${owner}/${repo}`)}
                confirmLabel={words.grant.end}
                confirm={async () => {
                  const params = { ...workspace, device, toOwner: owner, toRepo: repo }
                  await change(deleteDeviceGrant, { params })
                  reload()
                }}
              >
                {words.grant.text}
              </ConfirmButton>
            }
          />
        )}
      </Entries>
      <form
        className={styles.add}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (isComplete && !isHere) granting.run()
        }}
      >
        <TextField
          label={words.grant.field}
          description={words.grant.hint}
          errorMessage={isHere ? words.grant.here : wrong?.text === text ? wrong.why : undefined}
          value={text}
          onChange={(typed) => setText(typed.toLowerCase().trim())}
          isMono
          autoComplete="off"
          spellCheck="false"
        />
        <div className={styles.submit}>
          <Button type="submit" isPending={granting.isPending} isDisabled={!isComplete || isHere}>
            {words.grant.add}
          </Button>
        </div>
      </form>
      <FailureNotice error={granting.error} />
    </section>
  )
}

interface OwnershipProps {
  device: string
  onNewKey: DeviceEntryProps['onNewKey']
  reload: () => void
}

function Ownership({ device, onNewKey, reload }: OwnershipProps) {
  const { workspace } = useWorkspaceSession()
  const { change } = useSession()
  const params = { ...workspace, device }
  return (
    <div className={styles.ownership}>
      <ConfirmButton
        label={words.newKey}
        fullLabel={words.newKeyOf(device)}
        question={words.newKeyQuestion(device)}
        confirmLabel={words.newKey}
        confirm={async () => {
          const { body } = await change(postDeviceKey, { params })
          onNewKey(body)
        }}
      >
        {words.newKeyText}
      </ConfirmButton>
      <ConfirmButton
        label={words.remove}
        fullLabel={words.removeOf(device)}
        question={words.removeQuestion(device)}
        confirmLabel={words.remove}
        confirm={async () => {
          await change(deleteDevice, { params })
          reload()
        }}
      >
        {words.removeText}
      </ConfirmButton>
    </div>
  )
}
