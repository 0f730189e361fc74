import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type SharedEngines, serveSharedEngines } from './shared-engines.ts'

declare module 'vitest' {
  interface ProvidedContext {
    sharedEnginesUrl: string
  }
}

let engines: SharedEngines | undefined
let folder: string | undefined

/**
 * What all processes of a test run have in common: engines, ports that were handed out, compiled code, packed packages, the
 * command in one bundle.
 */
export async function setup(project: TestProject): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'patchbay-run-'))
  // Without it each of the hundreds of servers and commands of a run compiles the same sources anew: half of its start.
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled')
  process.env['PATCHBAY_TEST_PORTS'] = join(folder, 'ports')
  process.env['PATCHBAY_TEST_PACKED'] = join(folder, 'packed')
  // Not one of ours by its name: servers inherit it, and refuse settings that they do not know.
  process.env['TEST_COMMAND_FOLDER'] = folder
  engines = await serveSharedEngines()
  project.provide('sharedEnginesUrl', engines.url)
}

export async function teardown(): Promise<void> {
  await engines?.[Symbol.asyncDispose]()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 3 })
}
