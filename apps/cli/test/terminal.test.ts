import { mkdtempDisposable } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { startProcess, waitUntil, withCompiledCode } from '@patchbay/testkit/processes'
import { expect, vi } from 'vitest'
import { startOnTerminal } from './on-terminal.ts'
import { CLI } from './user.ts'

// Processes on a busy machine take their time to start.
vi.setConfig({ testTimeout: 120_000 })
const PATIENT = { deadlineMs: 60_000 }

const JSON_LINE = /^\{.*"level"/m
const READABLE_LINE = /^\d\d:\d\d:\d\d info {2}listening url=http\S+/m

test('[CLI-160] F7: on a terminal the gateway says where it is, its redirect URI and the next step, and logs in words', async () => {
  const port = await freePort()
  await using gateway = startOnTerminal({ PATCHBAY_GATEWAY_PORT: String(port) }, 'gateway')
  await waitUntil('it is up', () => gateway.output().includes('Ctrl-C stops it.'), PATIENT)
  expect(gateway.output()).toContain(`The gateway is up at http://localhost:${port}`)
  expect(gateway.output()).toMatch(new RegExp(`Redirect URI +http://localhost:${port}/callback`))
  expect(gateway.output()).toContain('Register the redirect URI with your OAuth provider.')
  expect(gateway.output()).toMatch(READABLE_LINE)
  gateway.pressCtrlC()
  expect(await gateway.exited).toEqual([0, null])
  expect(gateway.output()).toContain('stopped')
  expect(gateway.output()).not.toMatch(JSON_LINE)
})

deepTest('[CLI-160] F7: without a terminal its standard output is JSON and nothing else', async () => {
  const env = withCompiledCode({ PATH: process.env['PATH'], PATCHBAY_GATEWAY_PORT: String(await freePort()) })
  await using gateway = startProcess(process.execPath, [CLI, 'gateway'], { env })
  await waitUntil('it is up', () => gateway.output().includes('"listening"'), PATIENT)
  await gateway.kill()
  const lines = gateway.output().trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { process: string }).process)).toEqual(
    lines.map(() => 'gateway'),
  )
})

deepTest('[CLI-160] F7: so does the watchdog, and its gateway', async () => {
  const [port, gatewayPort] = [await freePort(), await freePort()]
  await using folder = await mkdtempDisposable(join(tmpdir(), 'patchbay-watchdog-'))
  await using watchdog = startOnTerminal(
    {
      PATCHBAY_WATCHDOG_PORT: String(port),
      PATCHBAY_GATEWAY_PORT: String(gatewayPort),
      PATCHBAY_WATCHDOG_STATE_DIR: folder.path,
    },
    'watchdog',
    'run',
  )
  await waitUntil('both are up', () => /Ctrl-C stops it\./.test(watchdog.output()), PATIENT)
  await waitUntil('both are up', () => /Ctrl-C stops both\./.test(watchdog.output()), PATIENT)
  expect(watchdog.output()).toContain('The watchdog is up at http://')
  expect(watchdog.output()).toContain(`The gateway is up at http://localhost:${gatewayPort}`)
  watchdog.pressCtrlC()
  expect(await watchdog.exited).toEqual([0, null])
  expect(watchdog.output()).not.toMatch(JSON_LINE)
})

test('[CLI-161] F7: a taken port is one sentence that says what to do', async () => {
  const squatter = createServer()
  const port = await freePort()
  await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve))
  await using gateway = startOnTerminal({ PATCHBAY_GATEWAY_PORT: String(port) }, 'gateway')
  expect(await gateway.exited).toEqual([1, null])
  await new Promise<void>((resolve) => squatter.close(() => resolve()))
  expect(gateway.output().trim()).toBe(
    `Port ${port} is taken. End the program that has it, or set PATCHBAY_GATEWAY_PORT to another port.`,
  )
})
