import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * The command as tests start it when they need a process. In a test run it is one bundle of the same sources, made when the first
 * process starts; otherwise the sources themselves.
 */
const runFolder = process.env['TEST_COMMAND_FOLDER']

await import(runFolder === undefined ? '../src/main.ts' : pathToFileURL(bundled(runFolder)).href)

function bundled(folder: string): string {
  const main = join(folder, 'command/main.js')
  if (!existsSync(main)) {
    // In a process of its own: what it takes is not to be seen in the one that a test measures.
    const bundle = fileURLToPath(new URL('./bundle-command.ts', import.meta.url))
    const { status } = spawnSync(process.execPath, [bundle, folder], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (status !== 0) throw new Error('the command was not bundled')
  }
  return main
}
