import { Problem } from '@patchbay/contracts/core'
import {
  type Device,
  type DeviceConnection,
  deleteDevice,
  deviceName,
  type EmergencyStop,
  getDevices,
  postDevice,
  postDeviceKey,
} from '@patchbay/contracts/devices'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { CircuitBoard } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CopyField } from '../../components/copy-field.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Notice } from '../../components/notice.tsx'
import { TextField } from '../../components/text-field.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Entries, Entry } from '../../parts/entries.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { ask } from '../../server/server.api.ts'
import { textRule } from '../../server/text-rule.ts'
import { useAction } from '../../server/use-action.ts'
import { useSession } from '../../session/session-context.tsx'
import { useLoaded } from '../../session/use-loaded.ts'
import { useWorkspace, useWorkspaceSession } from '../workspace-context.ts'
import styles from './device-dialog.module.css'
import { words } from './words.ts'

const isName = textRule(deviceName)
/** While it is open: devices come and go. */
const RELOAD_MS = 4_000

interface Listed {
  readonly items: readonly Device[]
  readonly stop: EmergencyStop | null
}

/** A key as it was made, for as long as the dialog is open. */
interface Made {
  readonly device: string
  readonly key: string
  readonly connection: DeviceConnection | null
}

/** A workspace has no more devices than one answer holds. */
const fetchDevices = async (params: WorkspaceRef, signal: AbortSignal): Promise<Listed> =>
  (await ask(getDevices, { params, query: {} }, { signal })).body

export function DeviceDialog({ close }: { close: () => void }) {
  return (
    <Dialog
      title={words.title}
      size="lg"
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) close()
      }}
    >
      <Devices />
    </Dialog>
  )
}

function Devices() {
  const { workspace } = useWorkspaceSession()
  const mayChange = useWorkspace((snapshot) => snapshot.mayChange)
  const [made, setMade] = useState<Made>()
  const load = useCallback((signal: AbortSignal) => fetchDevices(workspace, signal), [workspace])
  const { answer, reload } = useLoaded(load)
  useEffect(() => {
    const timer = window.setInterval(reload, RELOAD_MS)
    return () => window.clearInterval(timer)
  }, [reload])
  const take = (next: Made) => {
    setMade(next)
    reload()
  }
  return (
    <div className={styles.parts}>
      {answer.state === 'loaded' && answer.value.stop !== null && (
        <Notice tone="warning" title={words.stopped} />
      )}
      {mayChange && <AddDevice onMade={take} />}
      {made !== undefined && <Connecting key={made.key} made={made} />}
      <Entries
        label={words.list}
        answer={answer}
        reload={reload}
        empty={words.none}
        keyOf={({ owner, repo, name }) => `${owner}/${repo}/${name}`}
      >
        {(device) => <DeviceEntry device={device} mayChange={mayChange} onMade={take} reload={reload} />}
      </Entries>
    </div>
  )
}

const TONES = { online: 'ok', offline: 'warning', never: 'neutral' } as const

interface DeviceEntryProps {
  device: Device
  mayChange: boolean
  onMade: (made: Made) => void
  reload: () => void
}

function DeviceEntry({ device, mayChange, onMade, reload }: DeviceEntryProps) {
  const { workspace } = useWorkspaceSession()
  const { change } = useSession()
  const { name, title, owner, repo, status, channels } = device
  const isHome = owner === workspace.owner && repo === workspace.repo
  const params = { ...workspace, device: name }
  return (
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
        mayChange &&
        isHome && (
          <>
            <ConfirmButton
              label={words.newKey}
              fullLabel={words.newKeyOf(name)}
              question={words.newKeyQuestion(name)}
              confirmLabel={words.newKey}
              confirm={async () => {
                const { body } = await change(postDeviceKey, { params })
                onMade({ device: name, ...body })
              }}
            >
              {words.newKeyText}
            </ConfirmButton>
            <ConfirmButton
              label={words.remove}
              fullLabel={words.removeOf(name)}
              question={words.removeQuestion(name)}
              confirmLabel={words.remove}
              confirm={async () => {
                await change(deleteDevice, { params })
                reload()
              }}
            >
              {words.removeText}
            </ConfirmButton>
          </>
        )
      }
    />
  )
}

function AddDevice({ onMade }: { onMade: (made: Made) => void }) {
  const { workspace } = useWorkspaceSession()
  const { change } = useSession()
  const [name, setName] = useState('')
  const [taken, setTaken] = useState<string>()
  const adding = useAction(async () => {
    try {
      const { body } = await change(postDevice, { params: workspace, body: { name } })
      setName('')
      onMade({ device: body.device.name, key: body.key, connection: body.connection })
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'device_exists')) throw error
      // Said at the field, where it can be mended.
      setTaken(name)
    }
  })
  return (
    <>
      <form
        className={styles.add}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (isName(name)) adding.run()
        }}
      >
        <TextField
          label={words.name}
          description={words.nameHint}
          errorMessage={name !== '' && name === taken ? words.taken : undefined}
          value={name}
          onChange={(text) => setName(text.toLowerCase().trim())}
          isMono
          autoComplete="off"
          spellCheck="false"
        />
        <div className={styles.submit}>
          <Button type="submit" isPending={adding.isPending} isDisabled={!isName(name)}>
            {words.add}
          </Button>
        </div>
      </form>
      <FailureNotice error={adding.error} />
    </>
  )
}

function Connecting({ made: { device, key, connection } }: { made: Made }) {
  return (
    <section aria-labelledby="connect-device" className={styles.made}>
      <h3 id="connect-device" className={styles.heading}>
        {words.keyOf(device)}
      </h3>
      <p className={styles.note}>{words.keyOnce}</p>
      <CopyField label={words.key} value={key} />
      {connection === null ? (
        <p className={styles.note}>{words.httpOnly}</p>
      ) : (
        <>
          <CopyField label={words.address} value={`${connection.host}:${connection.port}`} />
          <CopyField label={words.username} value={connection.username} />
          <CopyField label={words.topic} value={connection.topic} />
        </>
      )}
    </section>
  )
}
