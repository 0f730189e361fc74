import type { TestProject } from 'vitest/node'
import { type Postgres, startPostgres } from './postgres.ts'
import { hasPostgresBinaries } from './postgres-binaries.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresAdminUrl: string
  }
}

let postgres: Postgres | undefined

/**
 * One cluster for the whole run; each test takes a database of its own from it with `cloneDatabase`. Where PostgreSQL
 * is not installed the run goes on, and the tests that need it fail and say so.
 */
export async function setup(project: TestProject): Promise<void> {
  if (hasPostgresBinaries()) postgres = await startPostgres()
  project.provide('postgresAdminUrl', postgres?.url() ?? '')
}

export async function teardown(): Promise<void> {
  await postgres?.[Symbol.asyncDispose]()
}
