import { constants } from 'node:fs'
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BOARD_REPORT, type BoardOperation, type BoardReport } from '@patchbay/contracts/boards'
import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import type { ObjectStore } from '@patchbay/kernel/objects'
import { displayText } from '@patchbay/primitives/text'
import { ZipFile } from 'yazl'
import {
  type BoardLayer,
  type Command,
  commandsOf,
  layersOf,
  NETLIST_ENDINGS,
  notesOf,
  plotNameOf,
} from './kicad-commands.ts'
import type { Answer, ClaimedJob, Fault, NewResult } from './queue.store.ts'
import { bomReportOf, checkReportOf, netlistReportOf } from './report.ts'
import { type ReadOnly, runSandboxed, type SandboxLimits } from './sandbox.io.ts'

export interface Kicad {
  /** The program, below `/usr`. */
  readonly program: string
  readonly limits: SandboxLimits
}

/** `again`: nothing is known, and another try may tell. */
export type Outcome =
  | { readonly kind: 'done'; readonly answer: Answer }
  | { readonly kind: 'failed' | 'refused'; readonly fault: Fault; readonly notes: readonly string[] }
  | { readonly kind: 'again'; readonly why: string }
  | { readonly kind: 'aborted' }

export interface Run {
  readonly job: Pick<ClaimedJob, 'operation' | 'options' | 'file'>
  readonly project: string
  readonly output: string
  /** Libraries, and the tables that name them. */
  readonly readOnly?: readonly ReadOnly[]
  readonly objects: ObjectStore
  readonly signal: AbortSignal
  /** What KiCad says, as it says it. */
  readonly hear?: (text: string) => void
  /** It has ended, and what it has written is stored now. */
  readonly beginStoring?: () => void
}

/** A file of this size is read as a whole. */
const READ_BYTES = 128 * 1024 ** 2
const BEGINNING_BYTES = 64 * 1024
/** KiCad says so when a 3D model is missing, although it has written the file. */
const WRITTEN_WITH_COMPLAINTS = 2
const SIGNALED = 128

class Unusable extends Error {
  readonly code: 'kicad_failed' | 'too_large'
  constructor(code: 'kicad_failed' | 'too_large', message: string) {
    super(message)
    this.code = code
  }
}

/** Everything that one job takes: KiCad in its sandbox, and its files in the object store. */
export async function runKicad({ program, limits }: Kicad, run: Run): Promise<Outcome> {
  const { job, project, output, readOnly = [], signal, hear = () => {} } = run
  const layers = await layersFor(run)
  if (needsLayers(job) && layers.length === 0)
    return failed('The file is no board, or has none of these layers.', '')
  const names = layers.map(({ name }) => name)
  let said = ''
  for (const command of commandsOf(job.operation, job.options, job.file, names)) {
    const ended = await runSandboxed({
      project,
      output,
      readOnly,
      command: [program, ...command],
      limits,
      signal,
      hear,
    })
    if (ended.kind === 'aborted') return ended
    if (ended.kind !== 'exited') return refused(ended.kind, limits)
    said += ended.text
    if (ended.code > SIGNALED) return { kind: 'again', why: `KiCad ended by signal ${ended.code - SIGNALED}` }
    const isWritten = ended.code === WRITTEN_WITH_COMPLAINTS && (await wasWritten(output, command))
    if (ended.code !== 0 && !isWritten) return failed(wordsOf(said), said)
  }
  run.beginStoring?.()
  try {
    const answer = await collect(run, layers, said)
    return { kind: 'done', answer: { ...answer, notes: readable(notesOf(said)) } }
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    return error.code === 'too_large' ? refused('too_large', limits) : failed(error.message, said)
  }
}

function failed(detail: string, said: string): Outcome {
  const fault = { code: 'kicad_failed' as const, detail: displayText(detail, 500) }
  return { kind: 'failed', fault, notes: readable(notesOf(said)) }
}

function refused(code: 'too_slow' | 'too_large', { seconds, outputBytes }: SandboxLimits): Outcome {
  const detail =
    code === 'too_slow'
      ? `KiCad was not done after ${seconds} s, which is as long as a worker waits.`
      : `What KiCad wrote is more than ${Math.floor(outputBytes / 1024 ** 2)} MiB, or more than ${BOARD_LIMITS.results} files.`
  return { kind: 'refused', fault: { code, detail }, notes: [] }
}

const readable = (lines: readonly string[]) => lines.map((line) => displayText(line, 300))

/** The last thing that KiCad has said. */
function wordsOf(said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '')
  const trouble = notesOf(said)[0] ?? lines.at(-1)
  return trouble ?? 'KiCad cannot do this with this file.'
}

async function wasWritten(output: string, command: Command): Promise<boolean> {
  const at = command.indexOf('--output')
  const name = command[at + 1]?.split('/').at(-1) ?? ''
  const found = await stat(join(output, name)).catch(() => undefined)
  return found?.isFile() === true && found.size > 0
}

const needsLayers = ({ operation, file }: Run['job']) =>
  operation === 'layers' || operation === 'gerbers' || (operation === 'pdf' && file.endsWith('.kicad_pcb'))

/** Those that were asked for, of those that the board has. */
async function layersFor({ job, project }: Run): Promise<readonly BoardLayer[]> {
  if (!needsLayers(job)) return []
  const there = layersOf(await beginningOf(join(project, job.file)))
  const asked = job.options['layers']
  return Array.isArray(asked) ? there.filter(({ name }) => asked.includes(name)) : there
}

async function beginningOf(path: string): Promise<string> {
  await using file = await openPlain(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0)
  return buffer.toString('utf8', 0, bytesRead)
}

/** What stands behind a link is not the job's. */
async function openPlain(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  )
  if (file === undefined) throw new Unusable('kicad_failed', 'KiCad has not written what was asked for.')
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new Unusable('kicad_failed', 'KiCad has not written what was asked for.')
}

async function readPlain(path: string): Promise<Buffer> {
  await using file = await openPlain(path)
  if ((await file.stat()).size > READ_BYTES) throw new Unusable('too_large', '')
  return await file.readFile()
}

const readText = async (path: string): Promise<string> => (await readPlain(path)).toString('utf8')

interface Stored {
  /** Below the output folder. */
  readonly path: string
  readonly name: string
  readonly title: string
  readonly mediaType: string
}

type Collected = Omit<Answer, 'notes'>

interface Collecting {
  readonly job: Run['job']
  readonly output: string
  /** The name of the file that KiCad opened, without its ending: KiCad names its files after it. */
  readonly base: string
  readonly layers: readonly BoardLayer[]
  readonly said: string
  readonly put: (source: AsyncIterable<Uint8Array>, about: Omit<Stored, 'path'>) => Promise<NewResult>
  readonly store: (about: Stored) => Promise<NewResult>
  readonly report: (report: BoardReport) => Promise<NewResult>
}

async function collect(run: Run, layers: readonly BoardLayer[], said: string): Promise<Collected> {
  const { job, output, objects, signal } = run
  let bytes = 0
  const put: Collecting['put'] = async (source, { name, title, mediaType }) => {
    const { sha256, size } = await objects.put(source, { signal })
    bytes += size
    if (bytes > BOARD_LIMITS.resultBytes) throw new Unusable('too_large', '')
    return { name, title: displayText(title, 200), mediaType, bytes: size, sha256 }
  }
  return await COLLECT[job.operation]({
    job,
    output,
    base: (job.file.split('/').at(-1) ?? '').replace(/\.[^.]*$/, ''),
    layers,
    said,
    put,
    async store({ path, ...about }) {
      await using plain = await openPlain(join(output, path))
      return await put(plain.createReadStream({ autoClose: false }), about)
    },
    report: (report) =>
      put(bytesOf(JSON.stringify(report)), {
        name: BOARD_REPORT,
        title: 'Report',
        mediaType: 'application/json',
      }),
  })
}

const one =
  (name: string, mediaType: string, pathOf: (base: string) => string = () => name) =>
  async ({ store, base }: Collecting): Promise<Collected> => ({
    results: [await store({ path: pathOf(base), name, title: name, mediaType })],
    counts: {},
  })

const checked =
  (kind: 'erc' | 'drc') =>
  async ({ output, report: put }: Collecting): Promise<Collected> => {
    const report = checkReportOf(kind, readJson(await readText(join(output, `${kind}.json`))))
    const { errors, warnings, exclusions } = report
    return { results: [await put(report)], counts: { errors, warnings, exclusions } }
  }

const COLLECT: Readonly<Record<BoardOperation, (all: Collecting) => Promise<Collected>>> = {
  async sheets({ said, base, store }) {
    const plotted = plottedIn(said)
    const results: NewResult[] = []
    for (const [at, name] of plotted.slice(0, BOARD_LIMITS.results).entries())
      results.push(
        await store({
          path: `sheets/${name}`,
          name: `sheet-${at + 1}.svg`,
          title: sheetOf(name, base),
          mediaType: 'image/svg+xml',
        }),
      )
    if (results.length === 0) throw new Unusable('kicad_failed', 'KiCad has drawn no sheet.')
    return { results, counts: { sheets: plotted.length } }
  },
  async layers({ output, layers, base, store }) {
    const results: NewResult[] = []
    const there = new Set(await namesIn(join(output, 'layers')))
    for (const { name, title } of layers) {
      const path = `${base}-${plotNameOf(title)}.svg`
      if (!there.has(path)) continue
      const about = { name: `${name}.svg`, title: name, mediaType: 'image/svg+xml' }
      results.push(await store({ path: `layers/${path}`, ...about }))
    }
    if (results.length === 0) throw new Unusable('kicad_failed', 'KiCad has drawn no layer.')
    return { results, counts: { layers: results.length } }
  },
  erc: checked('erc'),
  drc: checked('drc'),
  async netlist({ job, output, store, report: put }) {
    const report = asReport(netlistReportOf, await readText(join(output, 'netlist.kicad')))
    const asked = job.options['format']
    const format = typeof asked === 'string' ? asked : 'kicadsexpr'
    const name = `netlist.${NETLIST_ENDINGS[format] ?? 'net'}`
    const path = format === 'kicadsexpr' ? 'netlist.kicad' : 'netlist.other'
    const mediaType = format === 'kicadxml' ? 'application/xml' : 'text/plain'
    return {
      results: [await put(report), await store({ path, name, title: name, mediaType })],
      counts: { components: report.components.length, nets: report.nets.length },
    }
  },
  async bom({ output, store, report: put }) {
    const report = asReport(bomReportOf, await readText(join(output, 'bom.csv')))
    const table = await store({ path: 'bom.csv', name: 'bom.csv', title: 'bom.csv', mediaType: 'text/csv' })
    return { results: [await put(report), table], counts: { lines: report.lines.length } }
  },
  render: one('board.png', 'image/png'),
  model: one('board.glb', 'model/gltf-binary'),
  step: one('board.step', 'model/step'),
  pdf: async (all) =>
    await (all.job.file.endsWith('.kicad_sch')
      ? one('sheets.pdf', 'application/pdf')
      : one('board.pdf', 'application/pdf', (base) => `pdf/${base}.pdf`))(all),
  async gerbers({ output, put }) {
    const folder = join(output, 'gerbers')
    const names = (await namesIn(folder)).toSorted()
    if (names.length > BOARD_LIMITS.results) throw new Unusable('too_large', '')
    const about = { name: 'gerbers.zip', title: 'gerbers.zip', mediaType: 'application/zip' }
    return { results: [await put(zipOf(folder, names), about)], counts: { files: names.length } }
  },
}

const namesIn = async (folder: string): Promise<string[]> => await readdir(folder).catch(() => [])

/** In the order of pages. */
function plottedIn(said: string): string[] {
  return [...said.matchAll(/^Plotted to '.*\/sheets\/([^/]{1,255}\.svg)'\.$/gm)].map(([, name = '']) => name)
}

const sheetOf = (name: string, base: string): string => {
  const path = name.slice(base.length + 1, -'.svg'.length)
  return name === `${base}.svg` ? '/' : `/${path}/`
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Unusable('kicad_failed', 'The report of KiCad cannot be read.')
  }
}

function asReport<Report>(read: (text: string) => Report, text: string): Report {
  try {
    return read(text)
  } catch (error) {
    throw new Unusable('kicad_failed', `What KiCad has written cannot be read: ${String(error)}`)
  }
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

/** Equal files give equal archives. */
const MODIFIED = new Date(Date.UTC(2000, 0, 1))

async function* zipOf(folder: string, names: readonly string[]): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const output = zip.outputStream as AsyncIterable<Uint8Array>
  for (const name of names)
    zip.addBuffer(await readPlain(join(folder, name)), name, { mtime: MODIFIED, mode: 0o100644 })
  zip.end()
  yield* output
}
