import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type LeftOut, type PackedArchive, packFolder } from '@patchbay/package-archive'
import { EXIT } from '../account/ending.ts'
import { findingLines } from '../command/findings.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { bytesInWords } from '../terminal/bytes.ts'
import { counted, tableOf } from '../terminal/table.ts'
import { USUAL_BRAND } from './usual-brand.ts'

export interface PackWords {
  readonly out?: string
  readonly toolBrand?: string
}

const REASONS: Readonly<Record<LeftOut['why'], string>> = {
  hidden: 'hidden',
  leftover: 'left behind by an editor or a program',
  not_installed: 'not in a folder that is installed',
}

/** `patchbay package pack`. */
export async function packPackage(
  task: Task,
  folder: string,
  { out, toolBrand }: PackWords,
): Promise<Outcome> {
  const file = await placeOf(out, folder)
  const packed = await packInto(task, folder, file, toolBrand)
  const { metadata, size, sha256, installSize, files, leftOut, warnings, findings } = packed
  const version = metadata.versions[0]?.version ?? ''
  return {
    json: {
      file: resolve(file),
      identifier: metadata.identifier,
      version,
      size,
      sha256,
      install_size: installSize,
      files: files.length,
      left_out: leftOut,
      warnings,
      findings,
    },
    text: [
      `Packed ${metadata.identifier} ${version} into ${file}`,
      tableOf(
        [
          [
            'size',
            `${bytesInWords(size)}; ${bytesInWords(installSize)} installed, in ${counted(files.length, 'file')}`,
          ],
          ['sha256', sha256],
        ],
        '  ',
      ),
      ...(leftOut.length === 0 ? [] : ['Left out:']),
      tableOf(
        leftOut.map(({ path, why }) => [path, `(${REASONS[why]})`]),
        '  ',
      ),
      ...warnings.map((warning) => `Warning: ${warning}`),
      ...findingLines(join(folder, 'metadata.json'), findings),
    ]
      .filter((line) => line !== '')
      .join('\n'),
  }
}

/** A folder holds the archive under its own name. */
async function placeOf(out: string | undefined, folder: string): Promise<string> {
  if (out === undefined) return await archiveNameFor(folder)
  const isFolder = await stat(out).then(
    (found) => found.isDirectory(),
    () => /[/\\]$/.test(out),
  )
  return isFolder ? join(out, await archiveNameFor(folder)) : out
}

export async function packInto(
  task: Task,
  folder: string,
  out: string,
  brand = USUAL_BRAND,
): Promise<PackedArchive> {
  using progress = task.progress(`Packing ${folder}`)
  return await packFolder(folder, {
    out,
    brand,
    onProgress: (bytes, total) => {
      task.signal.throwIfAborted()
      progress.update(bytes, total)
    },
  })
}

/** From metadata that nobody has checked yet: what cannot be a name is left to the packer to refuse. */
async function archiveNameFor(folder: string): Promise<string> {
  const text = await readFile(join(folder, 'metadata.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new Refusal(
      EXIT.failed,
      'no_metadata',
      `${folder} has no metadata.json.\nRun "patchbay package init ${folder}" to begin one.`,
    )
  })
  try {
    const { identifier, versions } = JSON.parse(text) as {
      identifier: unknown
      versions: { version: unknown }[]
    }
    const name = `${String(identifier)}-${String(versions[0]?.version)}`
    return /^[-a-zA-Z0-9.]{1,150}$/.test(name) ? `${name}.zip` : 'package.zip'
  } catch {
    return 'package.zip'
  }
}
