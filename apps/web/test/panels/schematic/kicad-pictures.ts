import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parse, readDesign } from '@patchbay/kicad-format'

/** Of the Debian package `kicad-demos`. */
const DEMOS = '/usr/share/kicad/demos'

/** Why KiCad's own pictures cannot be had here; `undefined`: they can. */
export function whyNoPictures(): string | undefined {
  try {
    const version = execFileSync('kicad-cli', ['version'], { encoding: 'utf8' }).trim()
    if (Number.parseInt(version, 10) < 9) return `KiCad is ${version}`
  } catch {
    return 'without KiCad'
  }
  return globSync(join(DEMOS, '*')).length > 0 ? undefined : 'without KiCad’s demonstration projects'
}

/** The project files with a schematic, those in this folder alone if one is named. */
export function listProjects(folder = '**'): string[] {
  return globSync(join(DEMOS, folder, '*.kicad_pro'))
    .filter((path) => existsSync(schematicOf(path)))
    .toSorted()
}

const schematicOf = (project: string) => project.replace(/_pro$/, '_sch')

export interface PicturedProject {
  /** By their names as seen from the project. */
  readonly files: Readonly<Record<string, string>>
  readonly root: string
  readonly project: string
  /** KiCad's, by the name of the sheet in the hierarchy. */
  readonly pictures: Readonly<Record<string, string>>
}

/** What KiCad makes of a project's sheets, in black, without the drawing sheet. */
export function picture(project: string): PicturedProject {
  const folder = dirname(project)
  const root = basename(schematicOf(project))
  const names = globSync('**/*.kicad_sch', { cwd: folder })
  const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  const out = mkdtempSync(join(tmpdir(), 'patchbay-kicad-'))
  try {
    execFileSync(
      'kicad-cli',
      ['sch', 'export', 'svg', '--black-and-white', '--exclude-drawing-sheet', '-o', out, join(folder, root)],
      { stdio: 'ignore', timeout: 180_000, env: { ...process.env, HOME: out } },
    )
    const made = readdirSync(out)
    const design = readDesign(new Map(Object.entries(files).map(([name, text]) => [name, parse(text)])), root)
    const pictures = design.sheets.flatMap(({ name }): [string, string][] => {
      const stem = root.replace(/\.kicad_sch$/, '')
      const wanted = `${stem}${name.slice(0, -1).replaceAll('/', '-')}.svg`
      const file = made.find((one) => one === wanted)
      return file === undefined ? [] : [[name, readFileSync(join(out, file), 'utf8')]]
    })
    return { files, root, project: readFileSync(project, 'utf8'), pictures: Object.fromEntries(pictures) }
  } finally {
    rmSync(out, { recursive: true, force: true, maxRetries: 5 })
  }
}
