import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { addAbortSignal, Readable } from 'node:stream'
import { findPublishFaults } from '@patchbay/package-format/publish-faults'
import { type Finding, type Report, type TextOptions, validateText } from '@patchbay/package-format/validate'
import { EXIT } from '../account/ending.ts'
import { findingLines } from '../command/findings.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { counted } from '../terminal/table.ts'
import { checkArchive, checkFolder } from './archive-report.ts'
import type { FileReport } from './file-report.ts'

const MOST_BYTES = 256 * 1024 * 1024

/** All of standard input, as text. */
async function readInput({ surroundings, signal }: Task): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  // Without the signal Ctrl-C would wait for the end of the input.
  const stream = new Readable().wrap(surroundings.input.stream)
  for await (const part of addAbortSignal(signal, stream) as AsyncIterable<Buffer>) {
    const bytes = Buffer.from(part)
    size += bytes.length
    if (size > MOST_BYTES)
      throw new Refusal(EXIT.failed, 'too_large', 'More than 256 MB came in: that is no package metadata.')
    parts.push(bytes)
  }
  return Buffer.concat(parts).toString('utf8')
}

export interface ValidateWords {
  readonly toolBrand?: string
  readonly urls?: 'strict' | 'compat'
}

const KINDS: Readonly<Record<string, string>> = {
  package: 'a package',
  'package-array': 'a list of packages',
  repository: 'a repository',
  archive: 'an archive',
  folder: 'a package folder',
  unknown: 'not package metadata',
}

/** `patchbay package validate`. */
export async function validateFiles(
  task: Task,
  files: readonly string[],
  { toolBrand, urls = 'strict' }: ValidateWords,
): Promise<Outcome> {
  const options = {
    urls,
    findMore: findPublishFaults,
    ...(toolBrand === undefined ? {} : { brand: toolBrand }),
  }
  const reports: FileReport[] = []
  for (const file of files) reports.push(await validateFile(task, file, options))
  const isValid = reports.every((each) => each.isValid)
  return {
    json: { is_valid: isValid, files: reports.map(present) },
    text: reports
      .flatMap((each) => [...findingLines(each.inside ?? each.file, each.findings), summaryOf(each)])
      .join('\n'),
    exitCode: isValid ? 0 : EXIT.failed,
  }
}

async function validateFile(task: Task, file: string, options: TextOptions): Promise<FileReport> {
  if (file === '-') return reportOf('<stdin>', validateText(await readInput(task), options))
  const stats = await stat(file)
  if (stats.isDirectory()) return validateFolder(task, file, options)
  const bytes = await readFile(file)
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') return checkArchive(task, file, options.brand)
  return reportOf(file, validateText(bytes.toString('utf8'), options))
}

/** The metadata first, whose faults have a place; then all that an archive of the folder would have to be. */
async function validateFolder(task: Task, folder: string, options: TextOptions): Promise<FileReport> {
  const isThere = async (name: string) =>
    await stat(join(folder, name)).then(
      () => true,
      () => false,
    )
  if (!(await isThere('metadata.json'))) {
    const isRepository = await isThere('repository.json')
    throw new Refusal(
      EXIT.failed,
      'no_metadata',
      isRepository
        ? `${folder} is a repository, not a package.\nRun "patchbay repo verify ${folder}" to check all of it.`
        : `${folder} has no metadata.json.\nRun "patchbay package init ${folder}" to begin one.`,
    )
  }
  return checkFolder(task, folder, options.brand)
}

function reportOf(file: string, { kind, isValid, findings, packages }: Report): FileReport {
  return {
    file,
    kind: kind ?? 'unknown',
    isValid,
    packages: packages.length,
    invalidPackages: packages.filter((each) => !each.isValid).length,
    findings: [...findings, ...packages.flatMap((each) => each.findings)].toSorted(byPlace),
  }
}

/** As a person reads the file; what has no place comes first. */
function byPlace(a: Finding, b: Finding): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
}

function summaryOf({ file, kind, isValid, packages, invalidPackages, findings }: FileReport): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const what = KINDS[kind] ?? kind
  const many = kind === 'package-array' ? ` with ${counted(packages, 'package')}` : ''
  const warnings = findings.length - errors
  const also = warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`
  const name = file === '<stdin>' ? 'Standard input' : file
  if (isValid) return `${name} is valid: ${what}${many}${also}.`
  const invalid = kind === 'package-array' && packages > 0 ? `, ${invalidPackages} of them invalid` : ''
  return `${name} is not valid: ${what}${many}${invalid}; ${counted(errors, 'error')}${also}.`
}

function present({ file, kind, isValid, packages, invalidPackages, findings }: FileReport): object {
  return { file, kind, is_valid: isValid, packages, invalid_packages: invalidPackages, findings }
}
