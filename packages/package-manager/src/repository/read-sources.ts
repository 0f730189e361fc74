import { join } from 'node:path'
import { type Inspection, inspectArchive, packFolder } from '@patchbay/package-archive'
import type { BuildOptions } from './build-options.ts'
import { type BuildFault, faultOf } from './build-refused.ts'
import type { PackageSource } from './find-sources.ts'

/** An archive that may be published. */
export interface ReadSource {
  readonly source: string
  /** Where its bytes are now. */
  readonly file: string
  readonly isTemporary: boolean
  readonly inspection: Inspection
}

export interface SourcesRead {
  readonly read: readonly ReadSource[]
  readonly faults: readonly BuildFault[]
  readonly warnings: readonly string[]
}

/** Reads every source, whatever is wrong with the others. Folders are packed on the way. */
export async function readSources(
  sources: readonly PackageSource[],
  workFolder: string,
  { brand, signal, onProgress }: Pick<BuildOptions, 'brand' | 'signal' | 'onProgress'>,
): Promise<SourcesRead> {
  const read: ReadSource[] = []
  const faults: BuildFault[] = []
  for (const [done, source] of sources.entries()) {
    signal?.throwIfAborted()
    onProgress?.({ done, total: sources.length, source: source.name })
    try {
      read.push(await readSource(source, join(workFolder, `${done}.zip`), brand))
    } catch (error) {
      faults.push(faultOf(error, source.name))
    }
  }
  const warnings = read.flatMap(({ source, inspection }) =>
    inspection.warnings.map((warning) => `${source}: ${warning}`),
  )
  return { read, faults, warnings }
}

async function readSource(
  source: PackageSource,
  packed: string,
  brand: string | undefined,
): Promise<ReadSource> {
  const options = brand === undefined ? {} : { brand }
  if (source.kind === 'archive') {
    const inspection = await inspectArchive(source.path, options)
    return { source: source.name, file: source.path, isTemporary: false, inspection }
  }
  const inspection = await packFolder(source.path, { ...options, out: packed })
  return { source: source.name, file: packed, isTemporary: true, inspection }
}
