import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Command } from 'commander'
import { EXIT } from './account/ending.ts'
import { findProcess, type Loaded, withAllVariables } from './processes.ts'
import type { CliSurroundings } from './terminal/surroundings.ts'
import { baseOf, cacheFolder, isOwn } from './user-folders.ts'
import { VERSION } from './version.ts'

const PACKAGE = '@patchbay/dev'
const UNFINISHED = 'new-'
/** No fetch takes as long. */
const HOUR_MS = 3_600_000

/** `patchbay dev`: everything on this machine, with nothing to set up. */
export function addDev(program: Command, surroundings: CliSurroundings): void {
  const { environment, print, printError, host } = surroundings
  program
    .command('dev')
    .summary('Start everything on this machine, to try it.')
    .description(
      'Start all of Patchbay on this machine, to try it or to build on it: PostgreSQL, an identity provider with made-up people, the server and its pages. Other machines cannot reach it.',
    )
    .option('--data <folder>', 'where data stays between runs (default: your own data folder)')
    .action(async ({ data }: { data?: string }) => {
      print('\n  Starting Patchbay…')
      const dev = (await findProcess('dev', surroundings)) ?? (await fetched(surroundings))
      const usual = join(baseOf(environment, 'XDG_DATA_HOME', '.local/share'), 'patchbay', 'dev')
      await dev.runDevelopment(
        {
          environment,
          alsoKnown: (await withAllVariables(surroundings)).alsoKnown,
          print,
          folder: resolve(data ?? usual),
          commands: { dev: 'patchbay dev', patchbay: 'patchbay' },
        },
        (text) => {
          printError(text)
          host.exit(EXIT.failed)
        },
      )
    })
}

/** The package as npm has installed it in the user's cache, which happens once for each version. */
async function fetched(surroundings: CliSurroundings): Promise<Loaded<'dev'>> {
  const { environment, print, printError, host } = surroundings
  const folder = join(cacheFolder(environment), 'dev')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const entry = () => createRequire(join(folder, VERSION, 'package.json')).resolve(PACKAGE)
  try {
    // What lies there is run.
    if (!isOwn(folder)) throw new Error(`${folder} belongs to somebody else, or others may write to it.`)
    if (!(await readdir(folder)).includes(VERSION)) {
      print(`  Fetching ${PACKAGE} ${VERSION} with npm, once for each version… (this takes a minute)`)
      await install(folder, surroundings)
    }
    return (await import(pathToFileURL(entry()).href)) as Loaded<'dev'>
  } catch (error) {
    printError(
      `${PACKAGE} ${VERSION} could not be fetched: ${error instanceof Error ? error.message : String(error)}`,
    )
    host.exit(EXIT.unavailable)
    throw error
  }
}

/** Whole or not at all: it is named by its version when npm is done. */
async function install(folder: string, { platform, now }: CliSurroundings): Promise<void> {
  await removeOthers(folder, now())
  const work = await mkdtemp(join(folder, UNFINISHED))
  try {
    await runNpm(work, platform)
    // Somebody else may have been faster, and have put the same there.
    await rename(work, join(folder, VERSION)).catch(ignoreTaken)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** Other versions, and what was begun and ended by force. */
async function removeOthers(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const { mtimeMs } = await stat(join(folder, name))
    const isUnderWay = name.startsWith(UNFINISHED) && now - mtimeMs < HOUR_MS
    if (!isUnderWay && name !== VERSION) await rm(join(folder, name), { recursive: true, force: true })
  }
}

function ignoreTaken(error: unknown): void {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
}

async function runNpm(cwd: string, platform: NodeJS.Platform): Promise<void> {
  await writeFile(join(cwd, 'package.json'), '{ "private": true }\n')
  // On Windows npm is a script, which only a shell can start; no word of this comes from outside.
  const npm = spawn(
    'npm',
    ['install', '--no-audit', '--no-fund', '--loglevel=error', `${PACKAGE}@${VERSION}`],
    {
      cwd,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: platform === 'win32',
    },
  )
  const [code] = (await once(npm, 'exit')) as [number | null]
  if (code !== 0) throw new Error('npm did not install it; what it says stands above.')
}
