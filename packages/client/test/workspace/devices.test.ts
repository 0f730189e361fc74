import { expect, test } from 'vitest'
import { connectWorkspace, UnexpectedResponse } from '../../src/workspace/index.ts'
import { startScriptedServer } from './scripted-server.ts'

const STREAM = { 'content-type': 'text/event-stream' }

test.each([
  ['no JSON', 'speed 3'],
  ['no object', '3'],
  ['a value without its channel', '{"value":3,"at":"2026-11-18T18:00:00.000Z"}'],
  ['a channel without its value', '{"channel":"speed","at":"2026-11-18T18:00:00.000Z"}'],
  ['more than an event can hold', `"${'x'.repeat(70_000)}"`],
])('[CL-133] an event that is %s is unexpected', async (_what, data) => {
  const body = new TextEncoder().encode(`event: value\ndata: ${data}\n\n`)
  await using server = await startScriptedServer({ headers: STREAM, body })
  const { devices } = connectWorkspace({ baseUrl: server.url, apiKey: 'key_1', owner: 'ada', repo: 'board' })
  await expect(devices.watch('motor-1').next()).rejects.toBeInstanceOf(UnexpectedResponse)
})

test('[CL-132] a watch that is left does not keep the program from ending', async () => {
  const body = new TextEncoder().encode(
    'event: value\ndata: {"channel":"speed","value":3,"at":"2026-11-18T18:00:00.000Z"}\n\n',
  )
  await using server = await startScriptedServer({ headers: STREAM, body })
  const { devices } = connectWorkspace({ baseUrl: server.url, apiKey: 'key_1', owner: 'ada', repo: 'board' })
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  for await (const { value } of devices.watch('motor-1')) {
    expect(value).toBe(3)
    break
  }
  await expect.poll(timers, { timeout: 20_000 }).toBeLessThanOrEqual(before)
})
