import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
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

/** `patchbay dev`: everything on this machine, with nothing to set up. */
export function addDev(program: Command, surroundings: CliSurroundings): void {
  const { environment, print, printError, host } = surroundings
  program
    .command('dev')
    .summary('Start all of Patchbay on this machine, to try it.')
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
async function fetched({
  environment,
  platform,
  print,
  printError,
  host,
}: CliSurroundings): Promise<Loaded<'dev'>> {
  const folder = join(cacheFolder(environment), 'dev')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const entry = () => createRequire(join(folder, VERSION, 'package.json')).resolve(PACKAGE)
  try {
    // What lies there is run.
    if (!isOwn(folder)) throw new Error(`${folder} belongs to somebody else, or others may write to it.`)
    if (!(await readdir(folder)).includes(VERSION)) {
      print(`  Fetching ${PACKAGE} ${VERSION} with npm, once for each version… (this takes a minute)`)
      await install(folder, platform)
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
async function install(folder: string, platform: NodeJS.Platform): Promise<void> {
  const others = await readdir(folder)
  const work = await mkdtemp(join(folder, 'new-'))
  await writeFile(join(work, 'package.json'), '{ "private": true }\n')
  // On Windows npm is a script, which only a shell can start; no word of this comes from outside.
  const npm = spawn(
    'npm',
    ['install', '--no-audit', '--no-fund', '--loglevel=error', `${PACKAGE}@${VERSION}`],
    {
      cwd: work,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: platform === 'win32',
    },
  )
  const [code] = (await once(npm, 'exit')) as [number | null]
  if (code !== 0) {
    await rm(work, { recursive: true })
    throw new Error('npm did not install it; what it says stands above.')
  }
  // Somebody else may have been faster.
  await rename(work, join(folder, VERSION)).catch(() => rm(work, { recursive: true }))
  for (const name of others) await rm(join(folder, name), { recursive: true, force: true })
}
