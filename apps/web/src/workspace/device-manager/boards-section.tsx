import { deviceName } from '@patchbay/contracts/devices'
import { Usb } from 'lucide-react'
import { useId, useState, useSyncExternalStore } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { Select } from '../../components/select.tsx'
import { TextField } from '../../components/text-field.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Entries, Entry } from '../../parts/entries.tsx'
import { textRule } from '../../server/text-rule.ts'
import { boardFault, boardsOf } from '../devices/boards.ts'
import type { DeviceStore, DevicesSnapshot } from '../devices/device-store.ts'
import { SerialConsole } from '../instruments/serial-console.tsx'
import { ArmControl } from '../panels/instrument-panel/arming.tsx'
import type { BoardSnapshot } from '../serial/board.ts'
import type { SerialBoards } from '../serial/serial-boards.ts'
import { useWorkspaceSession } from '../workspace-context.ts'
import styles from './device-dialog.module.css'
import { OpenPanel } from './device-entry.tsx'
import { words } from './words.ts'

const isName = textRule(deviceName)
const SPEEDS = [9_600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600] as const
const SPEED_OPTIONS = SPEEDS.map((speed) => ({ id: String(speed), label: words.boards.baud(speed) }))
const TONES = { open: 'ok', opening: 'neutral', closed: 'neutral', lost: 'warning' } as const

interface BoardsProps {
  store: DeviceStore
  snapshot: DevicesSnapshot
  mayChange: boolean
  close: () => void
}

export function BoardsSection(props: BoardsProps) {
  const { host } = useWorkspaceSession()
  const serial = boardsOf(host)
  const { isSupported, isHeld, boards } = useSyncExternalStore(
    (listener) => serial.subscribe(listener),
    () => serial.getSnapshot(),
  )
  return (
    <section aria-labelledby="boards" className={styles.made}>
      <h3 id="boards" className={styles.heading}>
        {words.boards.title}
      </h3>
      {isSupported ? (
        <>
          {isHeld && <HeldNotice serial={serial} {...props} />}
          <AddBoard serial={serial} {...props} />
          <Entries
            label={words.boards.title}
            answer={{ state: 'loaded', value: { items: boards } }}
            reload={() => undefined}
            empty={words.boards.none}
            keyOf={({ name }) => name}
          >
            {(board) => <BoardEntry board={board} serial={serial} {...props} />}
          </Entries>
        </>
      ) : (
        <p className={styles.note}>
          {globalThis.isSecureContext ? words.boards.unsupported : words.boards.insecure}
        </p>
      )}
    </section>
  )
}

interface WithSerial extends BoardsProps {
  serial: SerialBoards
}

/** The server has not heard of the stop, or does not say so yet. */
function HeldNotice({ serial, snapshot, mayChange }: WithSerial) {
  if (snapshot.stop !== null) return null
  return (
    <Notice
      isLive
      tone="danger"
      title={words.boards.held.title}
      action={
        mayChange && (
          <ConfirmButton
            label={words.boards.held.release}
            question={words.boards.held.question}
            confirmLabel={words.boards.held.confirm}
            confirm={async () => serial.release()}
          >
            {words.boards.held.warning}
          </ConfirmButton>
        )
      }
    >
      {words.boards.held.text}
    </Notice>
  )
}

function AddBoard({ serial, snapshot }: WithSerial) {
  const [name, setName] = useState('')
  const [speed, setSpeed] = useState('115200')
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)
  const isTaken = snapshot.devices.some((device) => device.name === name)
  const connect = async () => {
    setPending(true)
    setProblem(undefined)
    const failed = await serial.add(name, Number(speed))
    setPending(false)
    setProblem(failed)
    if (failed === undefined && serial.getSnapshot().boards.some((board) => board.name === name)) setName('')
  }
  return (
    <>
      <form
        className={styles.addBoard}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (isName(name) && !isTaken && !isPending) void connect()
        }}
      >
        <TextField
          label={words.boards.name}
          description={words.boards.nameHint}
          errorMessage={isTaken ? words.boards.taken : undefined}
          value={name}
          onChange={(text) => setName(text.toLowerCase().trim())}
          isMono
          autoComplete="off"
          spellCheck="false"
        />
        <Select
          label={words.boards.speed}
          options={SPEED_OPTIONS}
          value={speed}
          onChange={(id) => setSpeed(String(id))}
        />
        <div className={styles.submit}>
          <Button type="submit" isPending={isPending} isDisabled={!isName(name) || isTaken}>
            {words.boards.connect}
          </Button>
        </div>
      </form>
      {problem !== undefined && <Notice isLive tone="danger" title={problem} />}
    </>
  )
}

function BoardEntry({
  board,
  serial,
  store,
  snapshot,
  mayChange,
  close,
}: WithSerial & { board: BoardSnapshot }) {
  const { name, state, speed, channels, problem } = board
  const [failed, setFailed] = useState<string>()
  const [isReading, setReading] = useState(false)
  const details = useId()
  const device = snapshot.boards.has(name) ? snapshot.devices.find((each) => each.name === name) : undefined
  const isGuarded = channels.some((channel) => channel.isGuarded && channel.takesCommands)
  const isOpen = state === 'open'
  const trouble = problem ?? failed
  const connect = async () => {
    setFailed(undefined)
    setFailed(await serial.open(name))
  }
  return (
    <>
      <Entry
        icon={<Usb aria-hidden />}
        title={name}
        badges={<Badge tone={TONES[state]}>{words.boards.status[state]}</Badge>}
        facts={[
          ...(device === undefined || device.title === name ? [] : [device.title]),
          words.boards.baud(speed),
          ...(isOpen || channels.length > 0 ? [words.channels(channels.length)] : []),
        ]}
        actions={
          <>
            {isOpen && device !== undefined && (
              <>
                <ArmControl
                  store={store}
                  snapshot={snapshot}
                  guarded={isGuarded ? [device] : []}
                  mayChange={mayChange}
                />
                {mayChange && <OpenPanel device={device} close={close} />}
              </>
            )}
            {(isOpen || serial.lines(name).length > 0) && (
              <Button
                size="sm"
                aria-label={words.boards.consoleOf(name)}
                aria-expanded={isReading}
                aria-controls={details}
                onPress={() => setReading(!isReading)}
              >
                {words.boards.console}
              </Button>
            )}
            {isOpen ? (
              <Button
                size="sm"
                aria-label={words.boards.disconnectOf(name)}
                onPress={() => void serial.close(name)}
              >
                {words.boards.disconnect}
              </Button>
            ) : (
              <Button
                size="sm"
                aria-label={words.boards.connectOf(name)}
                isPending={state === 'opening'}
                onPress={() => void connect()}
              >
                {words.boards.connect}
              </Button>
            )}
            {state !== 'opening' && (
              <ConfirmButton
                label={words.boards.forget}
                fullLabel={words.boards.forgetOf(name)}
                question={words.boards.forgetQuestion(name)}
                confirmLabel={words.boards.forgetConfirm}
                confirm={() => serial.forget(name)}
              >
                {words.boards.forgetText}
              </ConfirmButton>
            )}
          </>
        }
      />
      {device === undefined && (
        <div className={styles.wide}>
          <Notice tone="warning" title={words.boards.hidden} />
        </div>
      )}
      {trouble !== undefined && (
        <div className={styles.wide}>
          <Notice isLive tone="warning" title={trouble} />
        </div>
      )}
      {isReading && (
        <div id={details} className={styles.wide}>
          <BoardConsole name={name} serial={serial} isHidden={device === undefined} />
        </div>
      )}
    </>
  )
}

function BoardConsole({ name, serial, isHidden }: { name: string; serial: SerialBoards; isHidden: boolean }) {
  const lines = useSyncExternalStore(
    (listener) => serial.followLines(name, listener),
    () => serial.lines(name),
  )
  const [fault, setFault] = useState<string>()
  const refusal = serial.refusal(name)
  const disabled = isHidden
    ? words.boards.hiddenReason
    : boardFault(refusal === undefined ? undefined : { refusal })
  return (
    <SerialConsole
      label={words.boards.consoleOf(name)}
      lines={lines}
      {...(disabled !== undefined && { disabled })}
      {...(fault !== undefined && { failed: fault })}
      onSend={(text) => void serial.sendText(name, text).then((answer) => setFault(boardFault(answer)))}
    />
  )
}
