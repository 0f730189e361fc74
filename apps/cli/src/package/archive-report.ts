import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ArchiveRefused,
  FolderRefused,
  type Inspection,
  inspectArchive,
  packFolder,
} from '@patchbay/package-archive'
import { findPublishFaults } from '@patchbay/package-format/publish-faults'
import type { Finding } from '@patchbay/package-format/validate'
import type { Task } from '../command/run-task.ts'
import type { FileReport } from './file-report.ts'

/** Everything that an archive has to be, written down like the faults of a document. */
export async function checkArchive(
  _task: Task,
  file: string,
  brand: string | undefined,
): Promise<FileReport> {
  return await reportOn('archive', file, `${file}/metadata.json`, async () => {
    const { warnings, findings } = await inspectForPublishing(file, brand === undefined ? [] : [brand])
    return { warnings, findings }
  })
}

/** What can be installed is not always something to hand out. */
export async function inspectForPublishing(
  file: string,
  brands: readonly string[],
): Promise<Inspection & { readonly findings: readonly Finding[] }> {
  const inspection = await inspectArchive(file, { brands })
  const findings = findPublishFaults(inspection.metadata)
  if (findings.every(({ severity }) => severity === 'warning')) return { ...inspection, findings }
  throw new ArchiveRefused(
    'metadata_invalid',
    'metadata.json has something in it that must not be handed out. Correct it, and pack again.',
    { entry: 'metadata.json', findings },
  )
}

/** Packs it where nobody sees: what packing would refuse is found before anybody packs. */
export async function checkFolder(
  task: Task,
  folder: string,
  brand: string | undefined,
): Promise<FileReport> {
  const place = await mkdtemp(join(tmpdir(), 'patchbay-validate-'))
  using progress = task.progress(`Checking ${folder}`)
  try {
    return await reportOn('folder', folder, join(folder, 'metadata.json'), async () => {
      return await packFolder(folder, {
        out: join(place, 'archive.zip'),
        ...(brand === undefined ? {} : { brand }),
        onProgress: (bytes, total) => progress.update(bytes, total),
      })
    })
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

async function reportOn(
  kind: 'archive' | 'folder',
  file: string,
  metadata: string,
  check: () => Promise<{ readonly warnings: readonly string[]; readonly findings: readonly Finding[] }>,
): Promise<FileReport> {
  try {
    const { warnings, findings: found } = await check()
    const findings = [...found, ...warnings.map((message) => findingOf(message, 'archive', 'warning'))]
    return {
      file,
      ...(found.length > 0 ? { inside: metadata } : {}),
      kind,
      isValid: true,
      packages: 1,
      invalidPackages: 0,
      findings,
    }
  } catch (error) {
    if (!(error instanceof ArchiveRefused || error instanceof FolderRefused)) throw error
    const found = error instanceof ArchiveRefused ? (error.findings ?? []) : []
    return {
      file,
      ...(found.length > 0 ? { inside: metadata } : {}),
      kind,
      isValid: false,
      packages: 1,
      invalidPackages: 1,
      findings: found.length > 0 ? found : [findingOf(error.message, error.reason, 'error')],
    }
  }
}

function findingOf(message: string, code: string, severity: Finding['severity']): Finding {
  return { pointer: '', message, severity, code }
}
