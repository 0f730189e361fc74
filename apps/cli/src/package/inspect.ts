import { stat } from 'node:fs/promises'
import { type Inspection, inspectArchive } from '@patchbay/package-archive'
import { DEFAULT_RUNTIME } from '@patchbay/package-format'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { bytesInWords } from '../terminal/bytes.ts'
import { counted, tableOf } from '../terminal/table.ts'
import { USUAL_BRAND } from './usual-brand.ts'

const SHOWN_FILES = 30

/** `patchbay package inspect`. */
export async function inspectPackage(
  _task: Task,
  file: string,
  { toolBrand }: { readonly toolBrand?: string },
): Promise<Outcome> {
  if ((await stat(file)).isDirectory())
    throw new Refusal(
      EXIT.failed,
      'not_a_file',
      `${file} is a folder.\nRun "patchbay package pack ${file}" to make an archive of it, or "patchbay package validate ${file}" to check it.`,
    )
  const inspection = await inspectArchive(file, { brand: toolBrand ?? USUAL_BRAND })
  const { metadata, sha256, size, installSize, files, icon, warnings } = inspection
  return {
    json: {
      metadata,
      sha256,
      size,
      install_size: installSize,
      files,
      has_icon: icon !== undefined,
      warnings,
    },
    text: describe(inspection),
  }
}

function describe({ metadata, sha256, size, installSize, files, icon, warnings }: Inspection): string {
  const [version] = metadata.versions
  const max = version?.tool_version_max
  const more = files.length - SHOWN_FILES
  return [
    `${stripHidden(metadata.name)} (${metadata.identifier} ${version?.version ?? ''})`,
    stripHidden(metadata.description),
    '',
    tableOf(
      [
        ['type', metadata.type],
        ['status', version?.status ?? ''],
        ['author', stripHidden(metadata.author.name)],
        ['license', metadata.license],
        ['tool', `${version?.tool_version ?? ''} or newer${max === undefined ? '' : `, up to ${max}`}`],
        ['platforms', version?.platforms?.join(', ') ?? 'all'],
        ...(metadata.type === 'plugin' ? [['runtime', version?.runtime ?? DEFAULT_RUNTIME]] : []),
        ['size', `${bytesInWords(size)}; ${bytesInWords(installSize)} installed`],
        ['sha256', sha256],
        ['icon', icon === undefined ? 'none' : 'yes'],
      ],
      '  ',
    ),
    '',
    `${counted(files.length, 'file')}:`,
    tableOf(
      files.slice(0, SHOWN_FILES).map((each) => [stripHidden(each.path), bytesInWords(each.size)]),
      '  ',
    ),
    ...(more > 0 ? [`  and ${more} more (--json shows all)`] : []),
    ...warnings.map((warning) => `Warning: ${stripHidden(warning)}`),
  ].join('\n')
}
