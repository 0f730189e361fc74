import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { BoardOperation } from '@patchbay/contracts/boards'
import { PNG } from 'pngjs'
import { KICAD } from './start.ts'

const run = promisify(execFile)

export interface ByHand extends AsyncDisposable {
  /** What KiCad writes for an operation, by the names of its files; `undefined`: it cannot. */
  make(
    operation: BoardOperation,
    file: string,
    layers?: readonly string[],
  ): Promise<Map<string, Buffer> | undefined>
}

/** KiCad as a person runs it: in a copy of the project, with a home folder of its own, without sandbox and service. */
export async function startByHand(files: Readonly<Record<string, Uint8Array>>): Promise<ByHand> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-by-hand-'))
  const project = join(folder, 'project')
  const home = join(folder, 'home')
  await mkdir(home)
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(project, path)), { recursive: true })
    await writeFile(join(project, path), bytes)
  }
  let runs = 0
  const kicad = async (out: string, words: readonly string[]) => {
    const env = { HOME: home, PATH: '/usr/bin', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TZ: 'UTC' }
    await run(KICAD, [...words], { cwd: project, env, maxBuffer: 64 * 1024 ** 2 }).catch(
      async (error: unknown) => {
        // A missing 3D model: the file is there nevertheless.
        if ((error as { code?: unknown }).code !== 2 || (await readdir(out)).length === 0) throw error
      },
    )
  }
  return {
    async make(operation, file, layers = []) {
      const out = join(folder, `out-${(runs += 1)}`)
      await mkdir(out)
      const to = (name: string) => ['-o', join(out, name)]
      const list = layers.join(',')
      const commands: Readonly<Record<BoardOperation, readonly (readonly string[])[]>> = {
        sheets: [['sch', 'export', 'svg', ...to(''), file]],
        erc: [['sch', 'erc', '--format', 'json', '--severity-all', ...to('erc.json'), file]],
        netlist: [['sch', 'export', 'netlist', ...to('netlist.net'), file]],
        bom: [
          [
            'sch',
            'export',
            'bom',
            '--fields',
            'Reference,Value,Footprint,Datasheet,${QUANTITY},${DNP}',
            '--labels',
            'Refs,Value,Footprint,Datasheet,Qty,DNP',
            '--group-by',
            'Value,Footprint,${DNP}',
            '--ref-range-delimiter',
            '',
            ...to('bom.csv'),
            file,
          ],
        ],
        layers: [
          ['pcb', 'export', 'svg', '--mode-multi', '--exclude-drawing-sheet', '-l', list, ...to(''), file],
        ],
        render: [['pcb', 'render', '--background', 'transparent', ...to('board.png'), file]],
        model: [['pcb', 'export', 'glb', '--subst-models', ...to('board.glb'), file]],
        drc: [['pcb', 'drc', '--format', 'json', '--severity-all', ...to('drc.json'), file]],
        step: [['pcb', 'export', 'step', '--subst-models', ...to('board.step'), file]],
        gerbers: [
          ['pcb', 'export', 'gerbers', '-l', list, ...to(''), file],
          ['pcb', 'export', 'drill', '-o', `${out}/`, file],
        ],
        pdf: [
          file.endsWith('.kicad_sch')
            ? ['sch', 'export', 'pdf', ...to('sheets.pdf'), file]
            : [
                'pcb',
                'export',
                'pdf',
                '--mode-multipage',
                '--include-border-title',
                '-l',
                list,
                ...to('pdf'),
                file,
              ],
        ],
      }
      try {
        for (const words of commands[operation]) await kicad(out, words)
      } catch {
        return undefined
      }
      const made = await readdir(out, { recursive: true, withFileTypes: true })
      const entries = made
        .filter((entry) => entry.isFile())
        .map(async (entry) => [entry.name, await readFile(join(entry.parentPath, entry.name))] as const)
      return new Map((await Promise.all(entries)).map(([name, bytes]) => [basename(name), bytes]))
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

const MASKS: readonly (readonly [RegExp, string])[] = [
  [/\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[+-]\d\d:?\d\d)?/g, 'THEN'],
  [/D:\d{14}/g, 'THEN'],
  // A person runs it in a folder of folders, the service in that of the project itself.
  [/[^\s"'()]*\/project\/(?:[^\s"'()]*\/)?/g, 'PROJECT/'],
]

/** The same for the same file: dates and folders are left out. */
export function seal(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1')
  const masked = MASKS.reduce((left, [pattern, word]) => left.replaceAll(pattern, word), text)
  return createHash('sha256').update(masked, 'latin1').digest('hex')
}

/** Of what may vary from run to run of KiCad with the same files, this part at most does. */
const MOST_VARYING = 1 / 10_000

/**
 * Where rays meet several surfaces some fifty pixels of a million vary, by 16 of 255 at most. A part that is missing is
 * seen by steps that are larger, or by more pixels.
 */
const STEP = 8
const LARGEST_STEP = 64

export function looksTheSame(one: Uint8Array, other: Uint8Array): boolean {
  const [a, b] = [one, other].map((bytes) => PNG.sync.read(Buffer.from(bytes)))
  if (a === undefined || b === undefined || a.width !== b.width || a.height !== b.height) return false
  const steps = [...a.data].map((value, at) => Math.abs(value - (b.data[at] ?? 0)))
  const varying = steps.filter((step) => step >= STEP).length
  return varying <= steps.length * MOST_VARYING && steps.every((step) => step < LARGEST_STEP)
}

/** The header of the file, and that of its first part. */
const GLB_HEADER_BYTES = 20
const PART_HEADER_BYTES = 8
/** In meters and parts of one. */
const LAST_DIGITS = 1e-6

/** The same parts and materials, and the same numbers but for the last digits of a few of them. */
export function isSameModel(one: Buffer, other: Buffer): boolean {
  const [a, b] = [partsOf(one), partsOf(other)]
  if (!isClose(a.description, b.description)) return false
  if (a.numbers.length !== b.numbers.length) return false
  let varying = 0
  for (let at = 0; at + 4 <= a.numbers.length; at += 4)
    if (a.numbers.readUInt32LE(at) !== b.numbers.readUInt32LE(at)) varying += 1
  return varying <= (a.numbers.length / 4) * MOST_VARYING
}

function partsOf(model: Buffer): { readonly description: unknown; readonly numbers: Buffer } {
  const end = GLB_HEADER_BYTES + model.readUInt32LE(12)
  const described = model.toString('utf8', GLB_HEADER_BYTES, end)
  return {
    description: JSON.parse(described, (key, value: unknown) => (key === 'generated_at' ? 'then' : value)),
    numbers: model.subarray(end + PART_HEADER_BYTES),
  }
}

function isClose(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') return Math.abs(one - other) <= LAST_DIGITS
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other
  const [a, b] = [Object.entries(one), Object.entries(other)]
  return (
    a.length === b.length && a.every(([key, value], at) => key === b[at]?.[0] && isClose(value, b[at]?.[1]))
  )
}
