import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { askSuccess, loadWith } from '../src/http.ts'
import { requireWhole } from '../src/registry/download.ts'
import { requireSameAnswers } from '../src/registry/serving.ts'
import { requireAgreement } from '../src/registry/validation.ts'

async function startPuppet(answer: (path: string) => { readonly status: number; readonly body: string }) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { url = '' } = request
    asked.push(url)
    const { status, body } = answer(url)
    response.writeHead(status).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const load = { requests: [{ path: '/a' }, { path: '/b' }], connections: 2, seconds: 0.2 }

test('[BN-21] answers that succeed are counted, and every path is asked for', async () => {
  await using puppet = await startPuppet(() => ({ status: 200, body: 'fine' }))
  const { requests, p99Ms } = await loadWith({ ...load, port: puppet.port })
  expect(requests).toBeGreaterThan(10)
  expect(p99Ms).toBeGreaterThan(0)
  expect(new Set(puppet.asked)).toEqual(new Set(['/a', '/b']))
})

test('[BN-21] a refused request fails the measurement', async () => {
  await using puppet = await startPuppet((path) => ({ status: path === '/b' ? 429 : 200, body: '' }))
  await expect(loadWith({ ...load, port: puppet.port })).rejects.toThrow('requests were refused')
  await expect(askSuccess(puppet.port, { path: '/b' })).rejects.toThrow('was answered 429')
})

test('[BN-21] sides that do not answer with the same bytes fail the measurement', async () => {
  await using one = await startPuppet(() => ({ status: 200, body: 'one' }))
  await using other = await startPuppet(() => ({ status: 200, body: 'other' }))
  const ask = { path: '/', headers: {} }
  const asks = { nginx: ask, deployed: ask, server: ask }
  await expect(requireSameAnswers('br', { nginx: one, deployed: one, server: one }, asks)).resolves.toBe(3)
  await expect(requireSameAnswers('br', { nginx: one, deployed: one, server: other }, asks)).rejects.toThrow(
    'status and bytes differ: nginx 200 3, deployed 200 3, server 200 5',
  )
  const unchanged = { ...asks, server: { path: '/', headers: { 'If-None-Match': '"x"' } } }
  await expect(
    requireSameAnswers('304', { nginx: one, deployed: one, server: one }, unchanged),
  ).rejects.toThrow('differ')
})

test('[BN-21] validators that disagree on a package fail the measurement', () => {
  expect(() => requireAgreement([1, 2], Number.isInteger, Number.isInteger)).not.toThrow()
  expect(() => requireAgreement([1, 2], Number.isInteger, (value) => value === 1)).toThrow('package 1')
})

test('[BN-21] a download that is not whole on disk fails the measurement', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-bench-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'file')
  await expect(requireWhole(file, 3)).rejects.toThrow('0 bytes are on disk')
  await writeFile(file, 'abc')
  await expect(requireWhole(file, 3)).resolves.toBeUndefined()
  await expect(requireWhole(file, 4)).rejects.toThrow('3 bytes are on disk, 4 were sent')
})
