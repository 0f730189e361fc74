import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ArchiveRefused, FolderRefused, inspectArchive, packFolder } from '@patchbay/package-archive'
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
    const { warnings } = await inspectArchive(file, brand === undefined ? {} : { brand })
    return warnings
  })
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
      const { warnings } = await packFolder(folder, {
        out: join(place, 'archive.zip'),
        ...(brand === undefined ? {} : { brand }),
        onProgress: (bytes, total) => progress.update(bytes, total),
      })
      return warnings
    })
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

async function reportOn(
  kind: 'archive' | 'folder',
  file: string,
  metadata: string,
  check: () => Promise<readonly string[]>,
): Promise<FileReport> {
  try {
    const warnings = await check()
    const findings = warnings.map((message) => findingOf(message, 'archive', 'warning'))
    return { file, kind, isValid: true, packages: 1, invalidPackages: 0, findings }
  } catch (error) {
    if (!(error instanceof ArchiveRefused || error instanceof FolderRefused)) throw error
    const found = error instanceof ArchiveRefused ? (error.findings ?? []) : []
    return {
      file: found.length > 0 ? metadata : file,
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
