import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type Postgres, startPostgres } from './postgres.ts'
import { hasPostgresBinaries } from './postgres-binaries.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresAdminUrl: string
  }
}

let postgres: Postgres | undefined
let compiled: string | undefined

/**
 * One cluster for the whole run; each test takes a database of its own from it with `cloneDatabase`. Where PostgreSQL
 * is not installed the run goes on, and the tests that need it fail and say so.
 */
export async function setup(project: TestProject): Promise<void> {
  await shareCompiledCode()
  if (hasPostgresBinaries()) postgres = await startPostgres()
  project.provide('postgresAdminUrl', postgres?.url() ?? '')
}

export async function teardown(): Promise<void> {
  await postgres?.[Symbol.asyncDispose]()
  if (compiled !== undefined) await rm(compiled, { recursive: true, force: true, maxRetries: 3 })
}

/** Without it each of the hundreds of servers and commands of a run compiles the same sources anew: half of its start. */
async function shareCompiledCode(): Promise<void> {
  if (process.env['NODE_COMPILE_CACHE'] !== undefined) return
  compiled = await mkdtemp(join(tmpdir(), 'patchbay-compiled-'))
  process.env['NODE_COMPILE_CACHE'] = compiled
}
