import type { DeviceValue } from '@patchbay/contracts/devices'
import { expect, test } from 'vitest'
import {
  type ChannelBinding,
  commandFault,
  readAcknowledgement,
  readCommand,
  readInfo,
  valueOf,
  writeCommand,
} from '../src/index.ts'

function channel(component: object): ChannelBinding {
  const [made] =
    readInfo(JSON.stringify({ components: { a: { command_topic: true, ...component } } }))?.channels ?? []
  if (made === undefined) throw new Error('no channel')
  return made
}

test('[DK-30] a command has an id, a value and a deadline', () => {
  const command = { id: 'c1', value: 3, deadline: 5 }
  expect(readCommand(writeCommand(channel({ platform: 'number' }), command))).toEqual(command)
  expect(readCommand('{"value":3}')).toBeUndefined()
  expect(readCommand('on')).toBeUndefined()
})

test('[DK-30] devices of Home Assistant get the bare value', () => {
  const write = (value: DeviceValue) =>
    writeCommand(
      { ...channel({ platform: 'switch', payload_off: 'AUS' }), isConfirming: false },
      { id: 'c', value, deadline: 0 },
    )
  expect([write(true), write(false), write(3), write('x')]).toEqual(['ON', 'AUS', '3', 'x'])
})

test('[DK-31] an acknowledgement has an id and one of three outcomes', () => {
  expect(readAcknowledgement('{"id":"c","status":"refused","message":"hot"}')).toEqual({
    id: 'c',
    status: 'refused',
    message: 'hot',
  })
  expect(readAcknowledgement('{"id":"c","status":"done"}')).toEqual({
    id: 'c',
    status: 'done',
    message: null,
  })
  for (const text of [
    '',
    '3',
    'null',
    '{"id":"c"}',
    '{"id":3,"status":"done"}',
    '{"id":"c","status":"maybe"}',
  ])
    expect(readAcknowledgement(text)).toBeUndefined()
})

test('[DK-32] a value that the channel does not take is refused with words', () => {
  const fault = (component: object, value: DeviceValue) => commandFault(channel(component), value)
  expect(fault({ platform: 'number', min: 0, max: 5 }, 5)).toBeUndefined()
  expect(fault({ platform: 'number', min: 0, max: 5 }, 6)).toContain('5 at most')
  expect(fault({ platform: 'number', min: 0 }, -1)).toContain('0 at least')
  expect(fault({ platform: 'number' }, 'x')).toContain('number')
  expect(fault({ platform: 'switch' }, 1)).toContain('true or false')
  expect(fault({ platform: 'select', options: ['a'] }, 'b')).toContain('one of a')
  expect(fault({ platform: 'text' }, 1)).toContain('text')
  expect(fault({ platform: 'light' }, { brightness: 3 })).toBeUndefined()
})

test('[DK-33] a truth value is what `payload_on` and `payload_off` stand for', () => {
  const relay = channel({ platform: 'switch', payload_on: 'AN' })
  expect([valueOf(relay, 'AN'), valueOf(relay, 'OFF'), valueOf(relay, 1), valueOf(relay, 'jam')]).toEqual([
    true,
    false,
    true,
    'jam',
  ])
  expect(valueOf({ ...relay, member: 'state' }, { state: 'AN' })).toBe(true)
  expect(valueOf({ ...relay, member: 'state' }, 3)).toBeUndefined()
})
