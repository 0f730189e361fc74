import { NEUTRAL_BRAND, type Package } from '@patchbay/package-format'
import { type Finding, type TextOptions, validateText } from '@patchbay/package-format/validate'
import { ArchiveRefused } from '../refusal.ts'

export interface CheckedMetadata {
  /** In the neutral dialect, with exactly one version. */
  readonly metadata: Package
  readonly rawMetadata: unknown
  /** Warnings, with their places in the text. */
  readonly findings: readonly Finding[]
}

const ENTRY = 'metadata.json'
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The metadata inside an archive: one package with one version, and nothing about a download that is this archive. */
export function checkMetadata(
  bytes: Uint8Array,
  brands: readonly string[],
  findMore: NonNullable<TextOptions['findMore']> = () => [],
): CheckedMetadata {
  const text = decode(bytes)
  const rawMetadata = parse(text)
  const [version] = checkVersions(rawMetadata)
  checkDownloadFields(version)
  const report = validateText(text, { brand: brandOf(version, brands), findMore })
  const checked = report.packages[0]
  const findings = [...report.findings, ...(checked?.findings ?? [])]
  if (report.kind !== 'package' || !report.isValid || checked?.value === undefined)
    throw invalid(summarize(report.kind, findings), findings)
  return { metadata: checked.value, rawMetadata, findings }
}

function decode(bytes: Uint8Array): string {
  try {
    // A byte order mark is dropped here: editors on Windows write one, and JSON has none.
    return utf8.decode(bytes)
  } catch {
    throw invalid('is not UTF-8. Save it as UTF-8', [])
  }
}

/** `undefined` for what is no JSON: the validator then says where and why. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function checkVersions(metadata: unknown): readonly unknown[] {
  const versions = isRecord(metadata) ? metadata['versions'] : undefined
  if (!Array.isArray(versions)) return []
  if (versions.length !== 1)
    throw new ArchiveRefused(
      'metadata_versions',
      `metadata.json lists ${versions.length} versions. In an archive it describes the one version that is inside.`,
      { entry: ENTRY },
    )
  return versions
}

function checkDownloadFields(version: unknown): void {
  const fields = isRecord(version) ? Object.keys(version).filter((key) => key.startsWith('download_')) : []
  if (fields.length > 0)
    throw new ArchiveRefused(
      'metadata_download_fields',
      `metadata.json has ${fields.join(', ')}. Remove them: an archive cannot know its own hash, the repository adds it.`,
      { entry: ENTRY },
    )
}

/** The brand whose spelling the version uses. With none of them the first is right, and its findings say what is missing. */
function brandOf(version: unknown, brands: readonly string[]): string {
  const candidates = [...brands, NEUTRAL_BRAND]
  const used = isRecord(version) ? candidates.find((brand) => `${brand}_version` in version) : undefined
  return used ?? candidates[0] ?? NEUTRAL_BRAND
}

function summarize(kind: string | undefined, findings: readonly Finding[]): string {
  if (kind === 'package-array' || kind === 'repository')
    return `is a ${kind}, not the metadata of one package`
  const errors = findings.filter(({ severity }) => severity === 'error')
  const [first] = errors
  if (first === undefined) return 'is not the metadata of a package'
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : ''
  return `is not valid: ${first.pointer === '' ? '' : `${first.pointer}: `}${first.message}${more}`
}

function invalid(what: string, findings: readonly Finding[]): ArchiveRefused {
  return new ArchiveRefused('metadata_invalid', `metadata.json ${what}`, { entry: ENTRY, findings })
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
