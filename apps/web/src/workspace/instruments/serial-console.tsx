import { CornerDownLeft } from 'lucide-react'
import { type SubmitEvent, useId, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Select } from '../../components/select.tsx'
import { TextField } from '../../components/text-field.tsx'
import { ControlNote, type ControlState } from './control.tsx'
import { Instrument } from './instrument.tsx'
import { formatTime, type Reading } from './reading.ts'
import { RowList } from './row-list.tsx'
import styles from './serial-console.module.css'
import { words } from './words.ts'

export interface SerialLine {
  /** Grows from line to line. */
  readonly id: number
  readonly at: number
  readonly direction: 'in' | 'out'
  readonly text: string
}

interface SerialConsoleProps extends ControlState {
  label: string
  lines: readonly SerialLine[]
  /** The text with its line ending, as it goes over the wire. */
  onSend: (text: string) => void
  /** How many lines are kept in view. */
  scrollback?: number
  reading?: Pick<Reading, 'at' | 'state'>
}

const ENDINGS = { none: '', lf: '\n', cr: '\r', crlf: '\r\n' } as const
type Ending = keyof typeof ENDINGS
const isEnding = (id: unknown): id is Ending => typeof id === 'string' && id in ENDINGS
const OPTIONS = Object.keys(ENDINGS)
  .filter(isEnding)
  .map((id) => ({ id, label: words.serial.endings[id] }))
const MOST_REMEMBERED = 50

/** Raw text in and out. Arrow up and down bring back what was sent. */
export function SerialConsole({
  label,
  lines,
  onSend,
  scrollback = 5_000,
  reading,
  ...state
}: SerialConsoleProps) {
  const noteId = useId()
  const [text, setText] = useState('')
  const [ending, setEnding] = useState<Ending>('lf')
  const sent = useRef<readonly string[]>([])
  const [place, setPlace] = useState(0)
  const isDisabled = state.disabled !== undefined
  const isCut = lines.length > scrollback

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isDisabled || (text === '' && ending === 'none')) return
    onSend(text + ENDINGS[ending])
    if (text !== '') sent.current = [...sent.current, text].slice(-MOST_REMEMBERED)
    setPlace(0)
    setText('')
  }
  const recall = (step: number) => {
    const next = Math.min(sent.current.length, Math.max(0, place + step))
    setPlace(next)
    setText(next === 0 ? '' : (sent.current.at(-next) ?? ''))
  }
  return (
    <Instrument label={label} reading={reading}>
      <RowList
        label={label}
        rows={isCut ? lines.slice(-scrollback) : lines}
        empty={words.serial.nothing}
        status={isCut ? words.serial.cut(scrollback) : words.list.lines(lines.length)}
        render={({ at, direction, text: content }) => (
          <span className={styles.line} data-direction={direction}>
            <time dateTime={new Date(at).toISOString()} className={styles.time}>
              {formatTime(at)}
            </time>
            <span aria-hidden="true">{direction === 'in' ? '←' : '→'}</span>
            <span className={styles.hidden}>{words.serial[direction]}</span>
            <span>{visible(content)}</span>
          </span>
        )}
      />
      <form className={styles.form} onSubmit={submit}>
        <TextField
          label={words.serial.input}
          size="sm"
          isMono
          value={text}
          isDisabled={isDisabled}
          aria-describedby={noteId}
          autoComplete="off"
          spellCheck="false"
          onChange={setText}
          onKeyDown={(event) => {
            if (event.key === 'ArrowUp') recall(1)
            else if (event.key === 'ArrowDown') recall(-1)
            else event.continuePropagation()
          }}
        />
        <Select
          label={words.serial.ending}
          size="sm"
          options={OPTIONS}
          value={ending}
          isDisabled={isDisabled}
          onChange={(id) => {
            if (isEnding(id)) setEnding(id)
          }}
        />
        <Button type="submit" size="sm" icon={<CornerDownLeft aria-hidden />} isDisabled={isDisabled}>
          {words.serial.send}
        </Button>
      </form>
      <ControlNote id={noteId} {...state} />
    </Instrument>
  )
}

// oxlint-disable-next-line no-control-regex -- those are what is looked for
const SHAPELESS = /([\u0000-\u0008\u000a-\u001f\u007f])/
const KNOWN: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\0': '\\0' }

/** What has no shape of its own gets one: a line with a bell or an escape in it must not look like one without. */
function visible(text: string) {
  return text.split(SHAPELESS).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- a part has nothing else
      <span key={index} className={styles.shapeless}>
        {KNOWN[part] ?? `\\x${(part.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`}
      </span>
    ),
  )
}
