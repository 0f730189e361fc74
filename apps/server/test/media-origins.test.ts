import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PAGE_CSP, WORKSPACE_CSP, workspacePolicy } from '@patchbay/contracts/core'
import { ConfigError, readConfig } from '@patchbay/kernel/config'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { serverConfig } from '../src/index.ts'
import { mediaOriginsOf } from '../src/panels-config.ts'
import { startTestServer } from './start.ts'

const DATABASE = { DATABASE_URL: 'postgres://patchbay:secret@127.0.0.1/patchbay' }

function originsWith(environment: Record<string, string>): readonly string[] {
  const config = readConfig(serverConfig, { ...DATABASE, ...environment })
  return mediaOriginsOf(config, config.publicUrl ?? 'http://localhost:8790')
}

const directivesOf = (policy: string) =>
  new Map(policy.split('; ').map((directive) => [directive.split(' ')[0], directive] as const))

test('[W-756] media come from the origins that the operator names, in three directives of the workspace alone', () => {
  const origins = ['https://cam.example:8889', 'http://192.168.1.20:*']
  const before = directivesOf(WORKSPACE_CSP)
  const after = directivesOf(workspacePolicy(origins))
  expect([...after.keys()]).toEqual([...before.keys()])
  for (const [name, directive] of after) {
    const isOfMedia = ['img-src', 'connect-src', 'media-src'].includes(name ?? '')
    expect(directive).toBe(isOfMedia ? `${before.get(name)} ${origins.join(' ')}` : before.get(name))
  }
  expect(workspacePolicy([])).toBe(WORKSPACE_CSP)
})

test.for([
  [{}, ['http://localhost:*', 'http://127.0.0.1:*']],
  [{ PATCHBAY_HOST: '0.0.0.0' }, []],
  [{ PATCHBAY_PUBLIC_URL: 'https://patchbay.example.com' }, []],
  [{ PATCHBAY_MEDIA_ORIGINS: 'off' }, []],
  [
    { PATCHBAY_PUBLIC_URL: 'https://patchbay.example.com', PATCHBAY_MEDIA_ORIGINS: 'https://CAM.example' },
    ['https://cam.example'],
  ],
  [
    { PATCHBAY_MEDIA_ORIGINS: 'https://*.cams.example, http://192.168.1.20:*, http://lab:8889' },
    ['https://*.cams.example', 'http://192.168.1.20:*', 'http://lab:8889'],
  ],
] as const)('[W-756] with %j media come from %j', ([environment, origins]) => {
  expect(originsWith(environment)).toEqual(origins)
})

test.for([
  '*',
  'https:',
  'https://*',
  'https://cam.example/stream',
  'https://cam.example; script-src *',
  "https://cam.example 'unsafe-inline'",
  'ftp://cam.example',
  'cam.example',
  'https://user@cam.example',
  'data:',
])('[W-756] %s is no origin of media', (value) => {
  expect(() => originsWith({ PATCHBAY_MEDIA_ORIGINS: value })).toThrow(ConfigError)
})

deepTest('[W-756] the page of a workspace is sent that policy, and no other page is', async () => {
  await using cleanup = new AsyncDisposableStack()
  const root = await mkdtemp(join(tmpdir(), 'patchbay-web-'))
  cleanup.defer(() => rm(root, { recursive: true }))
  for (const name of ['index.html', 'workspace.html'])
    await writeFile(join(root, name), '<!doctype html><title>Page</title>')
  const server = cleanup.use(
    await startTestServer({ PATCHBAY_WEB_ROOT: root, PATCHBAY_MEDIA_ORIGINS: 'https://cam.example' }),
  )
  const policyOf = async (path: string) => {
    const { headers } = await server.ask(path, { headers: { accept: 'text/html' } })
    return headers.get('content-security-policy')
  }
  expect(await policyOf('/workspaces/ada/lamp')).toBe(workspacePolicy(['https://cam.example']))
  expect(await policyOf('/packages')).toBe(PAGE_CSP)
})
