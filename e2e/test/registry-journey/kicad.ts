import { execFile, execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type RunningProcess, startProcess, waitUntil } from '@patchbay/testkit/processes'
import { startDisplay } from '../panel-capture/display.ts'
import { type Picture, pictureOf } from '../panel-capture/pixels.ts'

const run = promisify(execFile)

/** What it takes to run KiCad, and to see and use it as a person does. */
const PROGRAMS = ['kicad', 'kicad-cli', 'openbox', 'xdotool', 'import']
const PATIENT = { deadlineMs: 120_000, intervalMs: 500 }

/** The size that the window of the package manager is given, and where things are in it then. */
const WINDOW = { width: 1200, height: 740 }
const PLACES = {
  libraries: [346, 126],
  install: [399, 255],
  update: [373, 257],
  refresh: [52, 737],
  apply: [794, 737],
  /** Of the window that tells how changes went. */
  close: [546, 468],
  nothing: [1_240, 790],
} as const
const FIRST_PACKAGE = { left: 22, top: 196, right: 448, bottom: 278 }

/** The package manager of KiCad, open on a display that nobody sees. Its list has one package. */
export interface Kicad extends AsyncDisposable {
  /** What the display shows, as PNG. */
  picture(): Promise<Buffer>
  /** Goes to the packages of type library. */
  showLibraries(): Promise<void>
  /** The kinds of what KiCad's check of this schematic finds, with what is installed. */
  check(schematic: string): Promise<string[]>
  /** Asks the repository again and waits until the package looks different from before. */
  refresh(): Promise<void>
  /** Installs or updates the package, and waits until that is done or refused. `seen` gets the last picture before the end. */
  change(button: 'install' | 'update', seen?: (png: Buffer) => Promise<void>): Promise<void>
  /** A file below the folder of installed packages; `undefined` while there is none. */
  installed(path: string): Promise<string | undefined>
}

/** Why KiCad cannot be run here; `undefined`: it can. */
export function whyNoKicad(): string | undefined {
  try {
    for (const program of PROGRAMS) execFileSync('which', [program], { stdio: 'ignore' })
    const version = execFileSync('kicad-cli', ['version'], { encoding: 'utf8' }).trim()
    return Number.parseInt(version, 10) >= 9 ? undefined : `KiCad is ${version}`
  } catch {
    return 'without KiCad, openbox, xdotool and ImageMagick'
  }
}

export async function openKicad(repository: string): Promise<Kicad> {
  await using cleanup = new AsyncDisposableStack()
  const home = await mkdtemp(join(tmpdir(), 'patchbay-kicad-'))
  cleanup.defer(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))
  await configure(home, repository)
  cleanup.use(await startDisplay())
  const env = { ...process.env, HOME: home, XDG_RUNTIME_DIR: home, LIBGL_ALWAYS_SOFTWARE: '1' }
  cleanup.use(startProcess('openbox', [], { env }))
  // A window that is there before its manager gets no focus, and hears no key.
  await waitUntil('there is a window manager', hasDesktops, PATIENT)
  const kicad = cleanup.use(startProcess('kicad', [], { env }))
  const manager = await openManager(kicad)
  await xdotool('windowmove', manager, '0', '0')
  await xdotool('windowsize', manager, String(WINDOW.width), String(WINDOW.height))
  const owned = cleanup.move()
  return {
    picture,
    async showLibraries() {
      const before = firstPackage(await picture())
      // Until the list of the repository is there, it shows nothing either.
      await waitUntil(
        'libraries are listed',
        async () => {
          await press('libraries')
          return firstPackage(await picture()) !== before
        },
        { ...PATIENT, intervalMs: 2_000 },
      )
      await settles((png) => firstPackage(png))
    },
    async check(schematic) {
      const [sheet, report] = [join(home, 'a.kicad_sch'), join(home, 'report.json')]
      await writeFile(sheet, schematic)
      const words = ['sch', 'erc', '--format', 'json', '--severity-all', '--output', report, sheet]
      await run('kicad-cli', words, { env })
      return [...(await readFile(report, 'utf8')).matchAll(/"type": "(\w+)"/g)].map(([, type = '']) => type)
    },
    async refresh() {
      const before = firstPackage(await picture())
      await press('refresh')
      await settles((png) => firstPackage(png), before)
    },
    async change(button, seen) {
      const before = firstPackage(await picture())
      await press(button)
      await settles((png) => firstPackage(png), before)
      await press('apply')
      const dialog = await windowOf(kicad, 'Applying Package Changes')
      const last = await settles((png) => png.toString('base64'))
      await seen?.(last)
      // Its button works once everything is done.
      await waitUntil('the changes are made or refused', () => closes(dialog), {
        ...PATIENT,
        intervalMs: 1_000,
      })
    },
    async installed(path) {
      const file = join(home, '.local/share/kicad/9.0/3rdparty', path)
      return await readFile(file, 'utf8').catch(() => undefined)
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** As somebody has it who has used KiCad before, and added the repository in its settings. */
async function configure(home: string, repository: string): Promise<void> {
  const folder = join(home, '.config/kicad/9.0')
  await mkdir(folder, { recursive: true })
  const settings = {
    pcm: { repositories: [{ name: 'Patchbay', url: repository }] },
    system: { first_run_shown: true },
  }
  await writeFile(join(folder, 'kicad.json'), JSON.stringify(settings))
  for (const kind of ['sym', 'fp'])
    await writeFile(join(folder, `${kind}-lib-table`), `(${kind}_lib_table\n  (version 7)\n)\n`)
  const answered = { data_collection_prompt: true, update_check_prompt: true }
  await writeFile(join(folder, 'kicad_common.json'), JSON.stringify({ do_not_show_again: answered }))
}

async function openManager(kicad: RunningProcess): Promise<string> {
  const main = await windowOf(kicad, '^KiCad 9')
  await waitUntil(
    'the package manager opens',
    async () => {
      if ((await findWindows('Plugin And Content Manager')).length > 0) return true
      await xdotool('windowactivate', '--sync', main, 'key', 'ctrl+m')
      return false
    },
    { ...PATIENT, intervalMs: 5_000 },
  )
  return await windowOf(kicad, 'Plugin And Content Manager')
}

async function hasDesktops(): Promise<boolean> {
  return await xdotool('get_desktop').then(
    () => true,
    () => false,
  )
}

async function windowOf(kicad: RunningProcess, name: string): Promise<string> {
  let found: string | undefined
  await waitUntil(
    `KiCad shows ${name}: ${kicad.output()}`,
    async () => {
      found = (await findWindows(name))[0]
      return found !== undefined
    },
    PATIENT,
  )
  return found ?? ''
}

async function findWindows(name: string): Promise<string[]> {
  // It fails where there is none.
  const found = await xdotool('search', '--onlyvisible', '--name', name).catch(() => '')
  return found.split('\n').filter((id) => id !== '')
}

async function closes(window: string): Promise<boolean> {
  // Where it opens depends on the other window, and what is told of its place on the window manager.
  await xdotool('windowmove', window, '0', '0').catch(() => undefined)
  await press('close')
  return (await findWindows('Applying Package Changes')).length === 0
}

async function press(place: keyof typeof PLACES): Promise<void> {
  const point = (name: keyof typeof PLACES) => PLACES[name].map(String)
  await xdotool('mousemove', ...point(place), 'click', '1')
  // What is below the pointer looks different.
  await xdotool('mousemove', ...point('nothing'))
}

async function xdotool(...args: string[]): Promise<string> {
  return (await run('xdotool', args)).stdout
}

async function picture(): Promise<Buffer> {
  const { stdout } = await run('import', ['-window', 'root', 'png:-'], {
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

/** Waits until a part of the display differs from what it was, if that is said, and stays as it is for a second. */
async function settles(part: (png: Buffer) => string, before?: string): Promise<Buffer> {
  let last: Buffer = Buffer.alloc(0)
  let shown = ''
  await waitUntil(
    'what KiCad shows has settled',
    async () => {
      last = await picture()
      const now = part(last)
      const isSettled = now === shown && now !== before
      shown = now
      return isSettled
    },
    { ...PATIENT, intervalMs: 1_000 },
  )
  return last
}

function firstPackage(png: Buffer): string {
  const shown: Picture = pictureOf(png)
  const { left, top, right, bottom } = FIRST_PACKAGE
  const pixels: string[] = []
  for (let y = top; y < bottom; y += 1)
    for (let x = left; x < right; x += 1) pixels.push(shown.at(x, y).join())
  return pixels.join(' ')
}
