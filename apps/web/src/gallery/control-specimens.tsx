import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { Actions } from '../workspace/instruments/actions.tsx'
import { Choice } from '../workspace/instruments/choice.tsx'
import { ColorPicker } from '../workspace/instruments/color-picker.tsx'
import { Joystick } from '../workspace/instruments/joystick.tsx'
import { MomentaryButton } from '../workspace/instruments/momentary-button.tsx'
import { NumberEntry } from '../workspace/instruments/number-entry.tsx'
import { NO_READING, type Reading, type ReadingState } from '../workspace/instruments/reading.ts'
import { Slider } from '../workspace/instruments/slider.tsx'
import { Toggle } from '../workspace/instruments/toggle.tsx'
import { Columns, Row, Specimen } from './specimen.tsx'

const AT = new Date(2026, 4, 12, 14, 3, 7).getTime()
const OFFLINE = 'the device is offline'
const MODES = [
  { id: 'auto', label: 'Automatic' },
  { id: 'manual', label: 'By hand' },
]

/** Controls whose device answers when the button below says so: what is asked for and what is reported are two things. */
export function ControlSpecimens({ state }: { state: ReadingState }) {
  const [sent, setSent] = useState<readonly string[]>([])
  const [asked, setAsked] = useState<Readonly<Record<string, Reading['value']>>>({})
  const [reported, setReported] = useState<Readonly<Record<string, Reading['value']>>>({
    lamp: false,
    power: 40,
    color: '#FF8800',
    mode: 'auto',
  })
  const [isThere, setThere] = useState(true)
  const [hasFailed, setFailed] = useState(false)
  const send = (name: string) => (value: Reading['value']) => {
    setSent((before) => [...before, `${name} ${JSON.stringify(value)}`].slice(-12))
    setAsked((before) => ({ ...before, [name]: value }))
    setFailed(false)
  }
  const readingOf = (name: string): Reading =>
    state === 'none' ? NO_READING : { value: reported[name] ?? null, at: AT, state }
  const failed = hasFailed ? 'the device did not answer' : undefined
  return (
    <>
      <Specimen name="Device" use="Plays the part of a device: what was sent, and whether it answers.">
        <Row>
          <Button onPress={() => setReported({ ...reported, ...asked })}>Report what was asked for</Button>
          <Button onPress={() => setFailed(true)}>Fail</Button>
          <Button onPress={() => setThere(!isThere)}>{isThere ? 'Remove' : 'Put back'} held controls</Button>
        </Row>
        <output aria-label="Sent">{sent.join(', ')}</output>
      </Specimen>
      <Specimen name="Toggle" use="On or off. It says what was asked for until the device reports the same.">
        <Columns>
          <Toggle label="Lamp" reading={readingOf('lamp')} onSend={send('lamp')} failed={failed} />
          <Toggle label="Heater" reading={readingOf('lamp')} onSend={send('heater')} disabled={OFFLINE} />
          <Toggle label="Pump" reading={readingOf('lamp')} onSend={send('pump')} pending />
          <Toggle
            label="Valve"
            reading={readingOf('lamp')}
            onSend={send('valve')}
            failed="the device did not answer"
          />
        </Columns>
      </Specimen>
      <Specimen name="Slider" use="A number. The thumb is what is asked for, the mark what is reported.">
        <Columns>
          <Slider
            label="Power"
            reading={readingOf('power')}
            range={{ min: 0, max: 100 }}
            unit="%"
            onSend={send('power')}
            failed={failed}
          />
          <Slider
            label="Fan speed"
            reading={readingOf('power')}
            range={{ min: 0, max: 100 }}
            unit="%"
            onSend={send('fan')}
            disabled={OFFLINE}
          />
        </Columns>
      </Specimen>
      <Specimen name="Number entry" use="An exact number, such as a gain. It is sent with Enter.">
        <Columns>
          <NumberEntry
            label="Gain"
            reading={readingOf('power')}
            range={{ min: 0, max: 100 }}
            onSend={send('gain')}
            failed={failed}
          />
          <NumberEntry
            label="Limit"
            reading={readingOf('power')}
            unit="A"
            onSend={send('limit')}
            disabled={OFFLINE}
          />
        </Columns>
      </Specimen>
      <Specimen name="Choice" use="One of several.">
        <Columns>
          <Choice
            label="Mode"
            reading={readingOf('mode')}
            options={MODES}
            onSend={send('mode')}
            failed={failed}
          />
          <Choice
            label="Scene"
            reading={readingOf('mode')}
            options={MODES}
            onSend={send('scene')}
            disabled={OFFLINE}
          />
        </Columns>
      </Specimen>
      <Specimen name="Actions" use="What is done once, such as start and stop.">
        <Columns>
          <Actions
            label="Oven"
            actions={[
              { id: 'start', name: 'Start', onPress: () => send('oven')('start'), failed },
              { id: 'abort', name: 'Abort', isStop: true, onPress: () => send('oven')('abort') },
            ]}
          />
          <Actions
            label="Drone"
            actions={[{ id: 'land', name: 'Land', onPress: () => send('drone')('land'), disabled: OFFLINE }]}
          />
        </Columns>
      </Specimen>
      <Specimen name="Momentary button" use="Acts while it is held, and never longer.">
        <Columns>
          {isThere && <MomentaryButton label="Horn" action="Sound the horn" onSend={send('horn')} />}
          <MomentaryButton label="Winch" action="Pull" onSend={send('winch')} disabled={OFFLINE} />
        </Columns>
      </Specimen>
      <Specimen name="Joystick" use="Two directions at once. It springs back.">
        <Columns>
          {isThere && <Joystick label="Drive" onSend={({ x, y }) => send('drive')([x, y])} />}
          <Joystick label="Camera" onSend={({ x, y }) => send('camera')([x, y])} disabled={OFFLINE} />
        </Columns>
      </Specimen>
      <Specimen name="Color picker" use="A color of a lamp.">
        <Columns>
          <ColorPicker label="Strip" reading={readingOf('color')} onSend={send('color')} failed={failed} />
          <ColorPicker label="Sign" reading={readingOf('color')} onSend={send('sign')} disabled={OFFLINE} />
        </Columns>
      </Specimen>
    </>
  )
}
