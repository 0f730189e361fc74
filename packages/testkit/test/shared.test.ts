import { existsSync } from 'node:fs'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { Client } from 'pg'
import { expect } from 'vitest'
import { sharedChromium } from '../src/chromium.ts'
import { freePort } from '../src/ports.ts'
import { serveSharedEngines } from '../src/shared-engines.ts'

test('[TK-103] a browser is shared by those who ask for the same one, until it has ended', async () => {
  const [first, second] = [await sharedChromium(), await sharedChromium()]
  expect(second).toBe(first)
  expect(await sharedChromium({ args: ['--site-per-process'] })).not.toBe(first)
  await first.close()
  const next = await sharedChromium()
  expect(next).not.toBe(first)
  expect(next.isConnected()).toBe(true)
})

test('[TK-104] a port is handed out once', async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, () => freePort()))
  expect(new Set(ports).size).toBe(200)
  const folder = process.env['PATCHBAY_TEST_PORTS'] ?? ''
  expect(ports.every((port) => existsSync(`${folder}/${port}`))).toBe(true)
})

deepTest('[TK-105] PostgreSQL starts when it is asked for, once for all, and ends with the run', async () => {
  const engines = await serveSharedEngines()
  const ask = async () => await (await fetch(`${engines.url}/postgres`)).text()
  const [first, second] = await Promise.all([ask(), ask()])
  expect(second).toBe(first)
  const client = new Client({ connectionString: first })
  client.on('error', () => {})
  await client.connect()
  await client.end()
  await engines[Symbol.asyncDispose]()
  await expect(new Client({ connectionString: first }).connect()).rejects.toThrow(/ECONNREFUSED/)
})

test('[TK-105] who asks is told why it cannot be started', async () => {
  const { TMPDIR } = process.env
  process.env['TMPDIR'] = '/no/such/folder'
  try {
    await using engines = await serveSharedEngines()
    const answer = await fetch(`${engines.url}/postgres`)
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('/no/such/folder')])
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
  }
})
