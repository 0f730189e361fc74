#!/usr/bin/env node
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import * as modules from 'node:module'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { paintFor } from './terminal/paint.ts'
import { cacheFolder, isOwn } from './user-folders.ts'
import { VERSION } from './version.ts'

/** In a checkout it is TypeScript, and git is how one gets a newer one. */
const isInstalled = import.meta.url.endsWith('.js')

// Answered at once: scripts ask for it again and again.
if (process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2] ?? '')) console.log(VERSION)
else await main()

async function main(): Promise<void> {
  // Before the rest is loaded: compiling it would take longer than most commands do. In the user's own folder, since what
  // lies there is run: Node's usual place is one that everybody on the machine may write to.
  if (process.env['NODE_COMPILE_CACHE'] === undefined)
    keepCompiled(join(cacheFolder(process.env), 'compiled'))

  const { createProgram } = await import('./program.ts')

  const program = createProgram({
    environment: process.env,
    host: process,
    runId: randomUUID().slice(0, 8),
    createNonce: () => randomBytes(16).toString('base64url'),
    createSecret: () => randomBytes(32).toString('base64url'),
    print: (text) => console.log(text),
    printError: (text) => console.error(text),
    isTerminal: process.stdout.isTTY,
    paint: { out: paintFor(process.stdout, process.env), error: paintFor(process.stderr, process.env) },
    hostName: hostname(),
    createId: () => randomUUID(),
    now: () => Date.now(),
    platform: process.platform,
    input: { isInteractive: process.stdin.isTTY, stream: process.stdin },
    writeBytes: async (bytes) => {
      if (!process.stdout.write(bytes)) await once(process.stdout, 'drain')
    },
    terminal: {
      isInteractive: process.stderr.isTTY,
      columns: () => process.stderr.columns,
      write: (text) => void process.stderr.write(text),
    },
  })

  if (process.stderr.isTTY && isInstalled) {
    const { updateNotice } = await import('./update-notice.ts')
    const folder = cacheFolder(process.env)
    const notice = updateNotice({ environment: process.env, folder, version: VERSION, now: Date.now() })
    if (notice !== undefined) process.once('exit', () => console.error(notice))
  }

  if (process.argv.length === 2) program.outputHelp()
  else await program.parseAsync(process.argv)
}

function keepCompiled(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // Node 20 cannot.
    if (isOwn(folder)) (modules as Partial<typeof modules>).enableCompileCache?.(folder)
  } catch {
    // A home that cannot be written costs time and nothing else.
  }
}
