import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessFailed, writeAtomically } from '@patchbay/primitives/files'
import { PUBLISHED } from '../../file-system.ts'
import type { Generation, InstalledFile } from '../installed-package.ts'
import type { Step } from '../workplace.ts'
import { isCount, isRecord, parseGeneration, parseRecord } from './parse-generation.ts'

/** What came with one generation. Written once, before it is installed. */
export interface Manifest {
  readonly identifier: string
  readonly generation: Generation
  readonly files: readonly InstalledFile[]
}

const FORMAT = 1

export async function writeManifest(home: string, manifest: Manifest, step: Step): Promise<void> {
  await writeAtomically(manifestOf(home), `${JSON.stringify({ format: FORMAT, ...manifest })}\n`, {
    mode: PUBLISHED.mode,
    step,
  })
}

/** `undefined` when it is missing or cannot be used. */
export async function readManifest(home: string): Promise<Manifest | undefined> {
  const text = await unlessFailed(readFile(manifestOf(home), 'utf8'), 'ENOENT', 'ENOTDIR')
  const { format, identifier, generation: stored, files } = parseRecord(text ?? '') ?? {}
  const generation = parseGeneration(stored)
  if (format !== FORMAT || typeof identifier !== 'string' || generation === undefined) return undefined
  if (!Array.isArray(files) || !files.every(isInstalledFile)) return undefined
  return { identifier, generation, files }
}

function manifestOf(home: string): string {
  return join(home, 'manifest.json')
}

function isInstalledFile(value: unknown): value is InstalledFile {
  if (!isRecord(value)) return false
  const { path, size, sha256 } = value
  return typeof path === 'string' && isCount(size) && typeof sha256 === 'string'
}
