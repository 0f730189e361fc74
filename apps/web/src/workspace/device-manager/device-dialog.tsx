import { Problem } from '@patchbay/contracts/core'
import { type DeviceConnection, deviceName, postDevice } from '@patchbay/contracts/devices'
import { useState, useSyncExternalStore } from 'react'
import { Button } from '../../components/button.tsx'
import { CopyField } from '../../components/copy-field.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Notice } from '../../components/notice.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TextField } from '../../components/text-field.tsx'
import { Entries } from '../../parts/entries.tsx'
import { FailureNotice } from '../../server/failure-notice.tsx'
import { textRule } from '../../server/text-rule.ts'
import { useAction } from '../../server/use-action.ts'
import { useSession } from '../../session/session-context.tsx'
import { deviceStoreOf } from '../devices/device-store.ts'
import { EmergencyStopButton, StopNotice } from '../panels/instrument-panel/arming.tsx'
import { useIsPast } from '../replay.ts'
import { useWorkspace, useWorkspaceSession } from '../workspace-context.ts'
import { BoardsSection } from './boards-section.tsx'
import styles from './device-dialog.module.css'
import { DeviceEntry } from './device-entry.tsx'
import { words } from './words.ts'

const isName = textRule(deviceName)

/** A key as it was made, for as long as the dialog is open. */
interface Made {
  readonly device: string
  readonly key: string
  readonly connection: DeviceConnection | null
}

export function DeviceDialog({ close }: { close: () => void }) {
  const { host } = useWorkspaceSession()
  const mayChange = useWorkspace((snapshot) => snapshot.mayChange)
  return (
    <Dialog
      title={words.title}
      size="lg"
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) close()
      }}
      // The dialog covers the panels, and with them their emergency stops.
      renderActions={() => <EmergencyStopButton store={deviceStoreOf(host)} mayChange={mayChange} />}
    >
      <Devices close={close} />
    </Dialog>
  )
}

function Devices({ close }: { close: () => void }) {
  const { host } = useWorkspaceSession()
  const mayChange = useWorkspace((snapshot) => snapshot.mayChange)
  const store = deviceStoreOf(host)
  const snapshot = useSyncExternalStore(
    (listener) => store.subscribe(listener),
    () => store.getSnapshot(),
  )
  const [made, setMade] = useState<Made>()
  const take = (next: Made) => {
    setMade(next)
    store.reload()
  }
  return (
    <div className={styles.parts}>
      <StopNotice store={store} stop={snapshot.stop} mayChange={mayChange} isPast={useIsPast(host.replay)} />
      {mayChange && <AddDevice onMade={take} />}
      {made !== undefined && <Connecting key={made.key} made={made} />}
      {snapshot.state === 'loading' && <Skeleton label={words.loading} lines={3} />}
      {snapshot.state === 'failed' && (
        <Notice
          tone="danger"
          isLive
          title={words.failed.title}
          action={
            <Button size="sm" onPress={() => store.reload()}>
              {words.failed.retry}
            </Button>
          }
        >
          {words.failed.text}
        </Notice>
      )}
      {snapshot.state === 'loaded' && (
        <Entries
          label={words.list}
          answer={{
            state: 'loaded',
            value: { items: snapshot.devices.filter(({ name }) => !snapshot.boards.has(name)) },
          }}
          reload={() => store.reload()}
          empty={words.none}
          keyOf={({ owner, repo, name }) => `${owner}/${repo}/${name}`}
        >
          {(device) => (
            <DeviceEntry
              device={device}
              store={store}
              snapshot={snapshot}
              mayChange={mayChange}
              onNewKey={(key) => take({ device: device.name, ...key })}
              close={close}
            />
          )}
        </Entries>
      )}
      <BoardsSection store={store} snapshot={snapshot} mayChange={mayChange} close={close} />
    </div>
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
