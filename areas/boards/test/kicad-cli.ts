import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childOf, childrenOf, parse, textIn } from '@patchbay/kicad-format'

const KICAD = '/usr/bin/kicad-cli'

/** Why KiCad cannot be asked here; `undefined`: it can. */
export function whyNoKicad(): string | undefined {
  try {
    const version = execFileSync(KICAD, ['version'], { encoding: 'utf8' }).trim()
    return Number.parseInt(version, 10) >= 9 ? undefined : `KiCad is ${version}`
  } catch {
    return 'without KiCad'
  }
}

/** What KiCad says of a sheet: the kinds of what breaks its rules, and its nets as sorted pins. `others`: files of the sheets in it. */
export function askKicad(
  text: string,
  others: Readonly<Record<string, string>> = {},
): {
  readonly broken: string[]
  readonly nets: Record<string, string[]>
} {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-kicad-'))
  const run = (...args: readonly string[]) =>
    execFileSync(KICAD, ['sch', ...args], {
      stdio: 'ignore',
      timeout: 120_000,
      env: { ...process.env, HOME: folder },
    })
  try {
    const [sheet, report, netlist] = ['test.kicad_sch', 'erc.json', 'out.net'].map((name) =>
      join(folder, name),
    )
    if (sheet === undefined || report === undefined || netlist === undefined) throw new Error('no names')
    writeFileSync(sheet, text)
    for (const [name, other] of Object.entries(others)) writeFileSync(join(folder, name), other)
    run('erc', '--format', 'json', '-o', report, sheet)
    run('export', 'netlist', '-o', netlist, sheet)
    const { sheets } = JSON.parse(readFileSync(report, 'utf8')) as {
      readonly sheets: readonly { readonly violations: readonly { readonly type: string }[] }[]
    }
    const [tree] = parse(readFileSync(netlist, 'utf8')).roots
    const nets = childrenOf(childOf(tree, 'nets'), 'net').map((net): [string, string[]] => [
      textIn(net, 'name') ?? '',
      childrenOf(net, 'node')
        .map((node) => `${textIn(node, 'ref')}.${textIn(node, 'pin')}`)
        .toSorted(),
    ])
    const broken = sheets.flatMap(({ violations }) => violations.map(({ type }) => type))
    return { broken: broken.toSorted(), nets: Object.fromEntries(nets) }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
