import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Package, PackageVersion } from '@patchbay/package-format'
import {
  openRepository,
  type RepositoryClient,
  type RepositoryDeps,
  type RepositorySource,
} from '../../src/index.ts'
import { type FaultServer, startFaultServer } from './fault-server.ts'

export function sha256(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export function sampleVersion(changes: Partial<PackageVersion> = {}): PackageVersion {
  return { version: '1.0.0', status: 'stable', tool_version: '8.0', ...changes }
}

export function samplePackage(identifier: string, changes: Record<string, unknown> = {}): Package {
  return {
    name: identifier,
    description: 'Blinks',
    description_full: 'Blinks for as long as there is power.',
    identifier,
    type: 'plugin',
    author: { name: 'Ada', contact: { web: 'https://ada.example' } },
    license: 'MIT',
    resources: {},
    versions: [sampleVersion()],
    ...changes,
  }
}

export interface ListOptions {
  readonly timestamp?: number
  /** Of the packages.json that is named, when it shall be another one. */
  readonly sha256?: string | null
  readonly packagesUrl?: string
  readonly extra?: Record<string, unknown>
}

/** Puts a list and its index on a server. */
export function publish(
  server: FaultServer,
  packages: readonly unknown[],
  options: ListOptions = {},
): string {
  const text = JSON.stringify({ packages })
  server.serve('/packages.json', text)
  const hash = options.sha256 === undefined ? sha256(text) : options.sha256
  server.serve(
    '/repository.json',
    JSON.stringify({
      name: 'Sample',
      packages: {
        url: options.packagesUrl ?? `${server.origin}/packages.json`,
        update_timestamp: options.timestamp ?? 1_700_000_000,
        ...(hash === null ? {} : { sha256: hash }),
      },
      ...options.extra,
    }),
  )
  return `${server.origin}/repository.json`
}

/** Waits that a test can wait for. */
export const FAST = {
  pauseMs: 5,
  retryAfterMs: 200,
  idleMs: 400,
  deadlineMs: 2_000,
  downloadDeadlineMs: 2_000,
} as const

export interface Bench extends AsyncDisposable {
  readonly server: FaultServer
  readonly folder: string
  open(source?: Partial<RepositorySource>, deps?: Partial<RepositoryDeps>): RepositoryClient
}

/** A server, a folder, and clients that share that folder. */
export async function startBench(): Promise<Bench> {
  const server = await startFaultServer()
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-client-'))
  return {
    server,
    folder,
    open: (source, deps) =>
      openRepository(
        { url: `${server.origin}/repository.json`, ...source },
        { cacheFolder: join(folder, 'cache'), limits: FAST, ...deps },
      ),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The failure of a call that has to fail. */
export async function failureOf(call: Promise<unknown>): Promise<Error & { readonly code?: string }> {
  try {
    await call
  } catch (error) {
    return error as Error
  }
  throw new Error('it did not fail')
}

export async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}
