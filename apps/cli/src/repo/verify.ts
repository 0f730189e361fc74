import { access } from 'node:fs/promises'
import {
  type RepositoryFinding,
  type RepositoryReport,
  verifyLive,
  verifyRepository,
} from '@patchbay/package-manager/repository'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { requireKey } from '../registry/credential.ts'
import { bytesInWords } from '../terminal/bytes.ts'
import { counted } from '../terminal/table.ts'

export interface VerifyLiveWords {
  readonly toolBrand?: string
  readonly apiKeyVariable?: string
  readonly links?: boolean
  readonly concurrency?: number
  readonly json?: boolean
}

/** `patchbay repo verify`. */
export async function verifyFolder(
  task: Task,
  folder: string,
  { toolBrand }: { readonly toolBrand?: string },
): Promise<Outcome> {
  await access(folder)
  using progress = task.progress('Checking archives', { unit: 'things' })
  const report = await verifyRepository(folder, {
    ...(toolBrand === undefined ? {} : { brand: toolBrand }),
    signal: task.signal,
    onProgress: ({ done, total }) => progress.update(done, total),
  })
  return {
    json: { folder, ...present(report) },
    text: [...linesOf(report.findings), summaryOf(folder, report)].join('\n'),
    exitCode: report.isSound ? 0 : EXIT.failed,
  }
}

/** `patchbay repo verify-live`. */
export async function verifyPublished(task: Task, url: string, words: VerifyLiveWords): Promise<Outcome> {
  const { toolBrand, links, concurrency, apiKeyVariable } = words
  const apiKey = apiKeyVariable === undefined ? '' : requireKey(task.surroundings, apiKeyVariable, url)
  using progress = task.progress('Checking', { unit: 'things' })
  const report = await verifyLive(url, {
    ...(toolBrand === undefined ? {} : { brand: toolBrand }),
    ...(apiKey === '' ? {} : { apiKey }),
    ...(concurrency === undefined ? {} : { concurrency }),
    checkLinks: links === true,
    signal: task.signal,
    onProgress: ({ done, total, bytes }) => progress.update(done, total, `Checking (${bytesInWords(bytes)})`),
  })
  const { checks, notChecked, name } = report
  return {
    json: {
      url: report.url,
      name: name ?? null,
      ...present(report),
      checks: checks.map(({ failure, ...check }) => ({ ...check, failure: failure?.code ?? null })),
      not_checked: notChecked,
    },
    text: [
      ...linesOf(report.findings),
      summaryOf(stripHidden(name ?? report.url), report),
      ...(notChecked.length === 0
        ? []
        : [`${counted(notChecked.length, 'page')} that packages point to were not looked at (--links).`]),
    ].join('\n'),
    exitCode: report.isSound ? 0 : EXIT.failed,
  }
}

function linesOf(findings: readonly RepositoryFinding[]): string[] {
  return findings.map(
    ({ severity, subject, message }) => `${severity}: ${stripHidden(subject)}: ${stripHidden(message)}`,
  )
}

function summaryOf(
  what: string,
  { isSound, findings, packages, versions, checked, bytes }: RepositoryReport,
): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const faults = `${counted(errors, 'error')}, ${counted(findings.length - errors, 'warning')}`
  const seen = `${counted(packages, 'package')}, ${counted(versions, 'version')}; ${counted(checked, 'file')} checked, ${bytesInWords(bytes)}`
  return `${what} is ${isSound ? 'sound' : 'NOT sound'}: ${faults}.\n  ${seen}`
}

function present({ isSound, findings, packages, versions, checked, bytes }: RepositoryReport): object {
  return { is_sound: isSound, packages, versions, checked, bytes, findings }
}
