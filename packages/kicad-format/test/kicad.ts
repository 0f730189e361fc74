import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childOf, childrenOf, parse, textIn } from '../src/index.ts'

/** Why KiCad's own netlists cannot be had here; `undefined`: they can. */
export function whyNoKicad(): string | undefined {
  try {
    const version = execFileSync('kicad-cli', ['version'], { encoding: 'utf8' }).trim()
    return Number.parseInt(version, 10) >= 9 ? undefined : `KiCad is ${version}`
  } catch {
    return 'without KiCad'
  }
}

export interface KicadNet {
  readonly name: string
  /** Such as `R1.1`. */
  readonly pins: readonly string[]
}

/** A folder of its own, also as home: KiCad writes its settings there. */
function inFolder<Result>(work: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-kicad-'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function run(folder: string, args: readonly string[]): void {
  execFileSync('kicad-cli', ['sch', ...args], {
    stdio: 'ignore',
    timeout: 120_000,
    env: { ...process.env, HOME: folder },
  })
}

/** The nets that KiCad finds in a schematic on the disk. */
export function netlistOf(root: string): KicadNet[] {
  return inFolder((folder) => {
    const out = join(folder, 'out.net')
    run(folder, ['export', 'netlist', '-o', out, root])
    const [tree] = parse(readFileSync(out, 'utf8')).roots
    return childrenOf(childOf(tree, 'nets'), 'net').map((net) => ({
      name: textIn(net, 'name') ?? '',
      pins: childrenOf(net, 'node').map((node) => `${textIn(node, 'ref')}.${textIn(node, 'pin')}`),
    }))
  })
}

/** The nets that KiCad finds in these files, the first of which is the root. */
export function netlistOfFiles(files: Readonly<Record<string, string>>): KicadNet[] {
  return inFolder((folder) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    return netlistOf(join(folder, Object.keys(files)[0] ?? ''))
  })
}

/** The references of the parts that KiCad finds in a sheet. */
export function partsInKicad(text: string): string[] {
  return inFolder((folder) => {
    const [sheet, out] = [join(folder, 'test.kicad_sch'), join(folder, 'out.net')]
    writeFileSync(sheet, text)
    run(folder, ['export', 'netlist', '-o', out, sheet])
    const [tree] = parse(readFileSync(out, 'utf8')).roots
    return childrenOf(childOf(tree, 'components'), 'comp')
      .map((part) => textIn(part, 'ref') ?? '')
      .toSorted()
  })
}

/** The kinds of what KiCad's rule check finds in a sheet. */
export function rulesBroken(text: string): string[] {
  return inFolder((folder) => {
    const [sheet, out] = [join(folder, 'test.kicad_sch'), join(folder, 'out.json')]
    writeFileSync(sheet, text)
    run(folder, ['erc', '--format', 'json', '-o', out, sheet])
    const report = JSON.parse(readFileSync(out, 'utf8')) as {
      readonly sheets: readonly { readonly violations: readonly { readonly type: string }[] }[]
    }
    return report.sheets.flatMap(({ violations }) => violations.map(({ type }) => type))
  })
}
