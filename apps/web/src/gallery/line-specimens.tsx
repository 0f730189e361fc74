import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { type LogLine, LogList } from '../workspace/instruments/log-list.tsx'
import type { ReadingState } from '../workspace/instruments/reading.ts'
import { SerialConsole, type SerialLine } from '../workspace/instruments/serial-console.tsx'
import { Row, Specimen } from './specimen.tsx'

const START = new Date(2026, 4, 12, 14, 0, 0).getTime()
const LEVELS = ['debug', 'info', 'info', 'warning', 'info', 'error'] as const
const SOURCES = ['motor', 'radio', 'power'] as const
const TEXTS = ['Loop took 412 µs', 'Packet received', 'Speed is 1,420 rpm', 'Retry after timeout'] as const

function line(id: number): LogLine {
  return {
    id,
    at: START + id * 20,
    level: LEVELS[id % LEVELS.length] ?? 'info',
    source: SOURCES[id % SOURCES.length] ?? '',
    text: `${TEXTS[id % TEXTS.length]} (${id})`,
  }
}

const GREETING: readonly SerialLine[] = [
  { id: 0, at: START, direction: 'in', text: 'ets Jul 29 2019 12:21:46' },
  { id: 1, at: START + 10, direction: 'in', text: 'rst:0x1 (power on),boot:0x13\u001b[0m' },
  { id: 2, at: START + 900, direction: 'in', text: 'Ready. Type help.' },
]

export function LineSpecimens({ state }: { state: ReadingState }) {
  const [lines, setLines] = useState(() => Array.from({ length: 10_000 }, (_, id) => line(id)))
  const [serial, setSerial] = useState(GREETING)
  const reading = { at: START + 200_000, state }
  const shown = state === 'none' ? [] : lines
  return (
    <>
      <Specimen name="Log list" use="What devices write: ten thousand lines are no burden.">
        <LogList label="Device log" lines={shown} reading={reading} />
        <Row>
          <Button onPress={() => setLines([...lines, ...[0, 1, 2].map((add) => line(lines.length + add))])}>
            Write three lines
          </Button>
        </Row>
      </Specimen>
      <Specimen name="Serial console" use="Raw text in and out.">
        <SerialConsole
          label="Serial port"
          lines={state === 'none' ? [] : serial}
          scrollback={100}
          reading={reading}
          disabled={state === 'offline' ? 'the device is offline' : undefined}
          onSend={(text) =>
            setSerial((before) => [
              ...before,
              { id: before.length, at: START + 1_000, direction: 'out', text },
              { id: before.length + 1, at: START + 1_010, direction: 'in', text: `echo ${text.trim()}` },
            ])
          }
        />
      </Specimen>
    </>
  )
}
