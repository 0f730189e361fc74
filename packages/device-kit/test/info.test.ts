import { assert, json, property } from 'fast-check'
import { expect, test } from 'vitest'
import { guessChannel, readDiscovery, readInfo, topicOf } from '../src/index.ts'

const base = topicOf({ owner: 'ada', repo: 'board', device: 'esp' })
const channelOf = (component: object) =>
  readInfo(JSON.stringify({ components: { speed: component } }))?.channels[0]

test('[DK-20] `$info` names the device and its channels', () => {
  const info = readInfo(
    JSON.stringify({
      device: { name: 'Motor', manufacturer: 'Acme', model: 'M1', sw_version: '1.2' },
      components: { speed: { platform: 'number', command_topic: true }, temperature: {} },
    }),
  )
  expect(info).toMatchObject({ title: 'Motor', manufacturer: 'Acme', model: 'M1', version: '1.2' })
  expect(info?.channels.map(({ name, platform }) => [name, platform])).toEqual([
    ['speed', 'number'],
    ['temperature', 'sensor'],
  ])
})

test('[DK-20] abbreviated names are understood', () => {
  const info = readInfo(
    '{"dev":{"name":"M","mf":"A","mdl":"B","sw":"1"},"cmps":{"t":{"p":"sensor","dev_cla":"temperature","unit_of_meas":"°C"}}}',
  )
  expect(info).toMatchObject({ title: 'M', manufacturer: 'A', model: 'B', version: '1' })
  expect(info?.channels[0]).toMatchObject({ deviceClass: 'temperature', unit: '°C' })
})

test('[DK-21] class, unit, range, options, lifetime and commands are read', () => {
  expect(
    channelOf({
      platform: 'number',
      name: 'Speed',
      device_class: 'speed',
      unit_of_measurement: 'rpm',
      min: 0,
      max: 9,
      step: 1,
      options: ['a', 3],
      expire_after: 2,
      command_topic: 'x',
      idempotent: true,
    }),
  ).toMatchObject({
    title: 'Speed',
    deviceClass: 'speed',
    unit: 'rpm',
    min: 0,
    max: 9,
    step: 1,
    options: ['a'],
    staleAfterMs: 2_000,
    takesCommands: true,
    commandTopic: 'speed/set',
    isIdempotent: true,
  })
})

test('[DK-21] what is not understood is left out, and text is cut and cleaned', () => {
  const info = readInfo(
    JSON.stringify({
      device: { name: `a\u202eb${'x'.repeat(200)}` },
      components: { ok: {}, 'no/good': {}, odd: { platform: 'camera' }, bad: 3 },
    }),
  )
  expect(info?.title).toBe(`ab${'x'.repeat(98)}`)
  expect(info?.channels.map(({ name }) => name)).toEqual(['ok'])
  expect(readInfo('nothing')).toBeUndefined()
})

test('[DK-22] what moves or powers something is guarded unless it denies it', () => {
  const guard = (more: object) => channelOf({ platform: 'number', command_topic: true, ...more })?.isGuarded
  expect(guard({})).toBe(false)
  expect(guard({ device_class: 'motor' })).toBe(true)
  expect(guard({ device_class: 'motor', guarded: false })).toBe(false)
  expect(guard({ guarded: true })).toBe(true)
  expect(channelOf({ platform: 'sensor', device_class: 'motor' })?.isGuarded).toBe(false)
})

test('[DK-23] what ESPHome announces becomes a channel', () => {
  const text = JSON.stringify({
    dev_cla: 'temperature',
    unit_of_meas: '°C',
    stat_t: `${base}/sensor/room/state`,
    name: 'Room',
    uniq_id: 'x',
    dev: { ids: 'a', name: 'esp', sw: 'esphome v2026', mdl: 'esp32dev', mf: 'Espressif' },
  })
  const info = readDiscovery(base, '$discovery/sensor/esp/room/config', text)
  expect(info).toMatchObject({ title: 'esp', manufacturer: 'Espressif' })
  expect(info?.channels).toMatchObject([
    {
      name: 'room',
      platform: 'sensor',
      stateTopic: 'sensor/room/state',
      takesCommands: false,
      isConfirming: false,
    },
  ])
})

test('[DK-23] `~` and templates that name a member are understood, as Tasmota and Zigbee2MQTT use them', () => {
  const relay = JSON.stringify({
    '~': `${base}/tele`,
    stat_t: '~/STATE',
    cmd_t: `${base}/cmnd/POWER`,
    val_tpl: "{{value_json['POWER']}}",
    pl_on: 'ON',
    pl_off: 'OFF',
  })
  expect(readDiscovery(base, '$discovery/switch/relay/config', relay)?.channels).toMatchObject([
    { name: 'relay', stateTopic: 'tele/STATE', member: 'POWER', commandTopic: 'cmnd/POWER' },
  ])
  const device = JSON.stringify({
    dev: { name: 'z' },
    cmps: { hum: { p: 'sensor', state_topic: `${base}/z`, value_template: '{{ value_json.humidity }}' } },
  })
  expect(readDiscovery(base, '$discovery/device/z/config', device)?.channels).toMatchObject([
    { name: 'hum', member: 'humidity' },
  ])
})

test('[DK-23] an entity with another template or with topics outside the device is left out', () => {
  const entity = (fields: object) =>
    readDiscovery(base, '$discovery/sensor/a/config', JSON.stringify(fields))?.channels
  expect(entity({ stat_t: `${base}/a`, val_tpl: '{{ value_json.a * 2 + states("x") }}' })).toEqual([])
  expect(entity({ stat_t: 'pb/eve/board/esp/a' })).toEqual([])
  expect(entity({ stat_t: `${base}/+` })).toEqual([])
  expect(readDiscovery(base, '$discovery/sensor/a/other', '{}')).toBeUndefined()
})

test('[DK-24] the value tells what a channel is that nothing was said about', () => {
  expect(guessChannel('a', 1)).toMatchObject({ platform: 'sensor', takesCommands: false })
  expect(guessChannel('a', true)).toMatchObject({ platform: 'binary_sensor' })
  expect(guessChannel('a/b', 1)).toBeUndefined()
})

test('[DK-21] [DK-23] nothing that a device says makes the reading fail', () => {
  assert(
    property(json({ maxDepth: 4 }), (text) => {
      readInfo(text)
      readDiscovery(base, '$discovery/device/a/config', text)
      readDiscovery(base, '$discovery/sensor/a/config', text)
    }),
  )
})
