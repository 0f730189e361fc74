import type { ServerResponse } from 'node:http'
import type { Device, DeviceChannel } from '@patchbay/contracts/devices'
import type { Site } from '../site.ts'

const axis = (name: string, min: number, max: number): DeviceChannel => ({
  name,
  title: name,
  platform: 'number',
  deviceClass: null,
  unit: '°',
  min,
  max,
  step: 0.1,
  options: null,
  takesCommands: true,
  isIdempotent: true,
  isGuarded: false,
  staleAfterMs: 10_000,
})

/** Our server, with a camera that is where it was told to be. */
export function answerCamera(site: Site, refusal?: string) {
  const values: Record<string, number | string> = { pan: 0, tilt: 0, zoom: 1, preset: 'home' }
  const commands: (readonly [string, unknown])[] = []
  const device: Device = {
    name: 'ptz-camera',
    title: 'Camera',
    owner: 'ada',
    repo: 'rover',
    status: 'online',
    seenAt: null,
    manufacturer: null,
    model: null,
    version: null,
    channels: [
      axis('pan', -170, 170),
      axis('tilt', -30, 90),
      axis('zoom', 1, 20),
      { ...axis('preset', 0, 0), platform: 'select', min: null, max: null, options: ['home', 'bench'] },
    ],
    arming: null,
    createdAt: new Date(0).toISOString(),
    createdBy: { kind: 'browser', name: 'Ada', handle: 'ada' },
  }
  const json = (body: () => unknown) => (_: unknown, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body()))
  site.answer(
    /\/devices$/,
    json(() => ({ items: [device], nextCursor: null, stop: null })),
  )
  site.answer(
    /\/devices\/ptz-camera$/,
    json(() => ({
      device,
      connection: null,
      grants: [],
      values: Object.entries(values).map(([channel, value]) => ({
        channel,
        value,
        at: new Date().toISOString(),
      })),
    })),
  )
  site.answer(/\/devices\/ptz-camera\/commands$/, (request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { channel, value } = JSON.parse(Buffer.concat(pieces).toString()) as {
        channel: string
        value: number
      }
      commands.push([channel, value])
      if (refusal === undefined) values[channel] = value
      const status = refusal === undefined ? 'done' : 'refused'
      const result = { id: 'command-1', status, message: refusal ?? null }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
    })
  })
  return { values, commands }
}
