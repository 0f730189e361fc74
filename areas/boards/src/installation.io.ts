import { createHash } from 'node:crypto'
import { access, constants, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { runSandboxed, type SandboxLimits } from './sandbox.io.ts'

/** Why a worker cannot run here, for whoever starts it. */
export class CannotWork extends Error {
  override readonly name = 'CannotWork'
}

export interface Installation {
  readonly version: string
  /** The version, and what stands for the libraries: they are part of what a check finds. */
  readonly engine: string
  /** The folder of the libraries of symbols that are installed with it. */
  readonly symbols: string
}

const OLDEST = 9
const SYMBOLS = '/usr/share/kicad/symbols'
const LIBRARIES = ['symbols', 'footprints', '3dmodels', 'template'].map((name) => `/usr/share/kicad/${name}`)
const TOOLS = [
  ['/usr/bin/bwrap', 'bubblewrap'],
  ['/usr/bin/prlimit', 'util-linux'],
] as const

/** Looks whether KiCad works inside the sandbox. Throws `CannotWork`: nothing runs outside of it. */
export async function inspectKicad(
  program: string,
  folder: string,
  limits: SandboxLimits,
): Promise<Installation> {
  for (const [path, name] of [...TOOLS, [program, 'kicad (version 9)'] as const])
    if (!(await isProgram(path)))
      throw new CannotWork(
        `${path} is missing. Install ${name}: the worker runs KiCad in a sandbox, and nowhere else.`,
      )
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const place = await mkdtemp(join(folder, 'look-'))
  try {
    const outcome = await runSandboxed({
      project: place,
      output: place,
      command: [program, 'version'],
      limits,
      signal: AbortSignal.timeout(60_000),
    })
    if (outcome.kind !== 'exited') throw new CannotWork('KiCad did not say its version within its time.')
    const [, version] = /^(\d+\.\d+(?:\.\d+)?)/m.exec(outcome.text) ?? []
    if (outcome.code !== 0 || version === undefined)
      throw new CannotWork(
        `KiCad does not run in the sandbox (bubblewrap). The kernel has to allow user namespaces. It said: ${outcome.text.trim().slice(0, 500)}`,
      )
    if (Number.parseInt(version, 10) < OLDEST)
      throw new CannotWork(`KiCad ${version} is too old. Install version ${OLDEST}.`)
    return { version, engine: `${version}+${await librariesSeal()}`, symbols: SYMBOLS }
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

async function isProgram(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/** The same on machines with the same packages: names, and times that a package sets. */
async function librariesSeal(): Promise<string> {
  const seal = createHash('sha256')
  for (const folder of LIBRARIES)
    for (const name of (await namesIn(folder)).toSorted()) {
      const { mtimeMs, size, isFile } = await entry(join(folder, name))
      seal.update(`${folder}/${name} ${Math.floor(mtimeMs / 1_000)} ${isFile ? size : 0}\n`)
    }
  return seal.digest('hex').slice(0, 8)
}

const namesIn = async (folder: string): Promise<string[]> => await readdir(folder).catch(() => [])

async function entry(path: string): Promise<{ mtimeMs: number; size: number; isFile: boolean }> {
  const found = await stat(path)
  return { mtimeMs: found.mtimeMs, size: found.size, isFile: found.isFile() }
}
