import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readResourcesIcons } from '@patchbay/package-archive'
import {
  brandOfList,
  type PackageArray,
  type Repository,
  type RepositoryResource,
} from '@patchbay/package-format'
import { diagnoseHash, validateText } from '@patchbay/package-format/validate'
import { openTrustedIndex, TrustFailure } from '@patchbay/package-trust/verifying'
import { systemSurroundings } from '../surroundings.ts'
import { PublishedFiles } from './published-files.ts'
import { FindingList, type RepositoryReport, reportOf } from './report.ts'
import { checkArchives } from './verify-archives.ts'
import { checkManifests } from './verify-manifests.ts'

export interface VerifyOptions {
  /** Absent: the one in which the list is written. */
  readonly brand?: string
  /** Milliseconds since 1970. */
  readonly now?: () => number
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

/** What existing tools read at most of repository.json. */
const SMALL_INDEX = 20_480

/** Whether a folder is a repository in which everything fits together. Nothing is asked of any server. */
export async function verifyRepository(
  folder: string,
  options: VerifyOptions = {},
): Promise<RepositoryReport> {
  const found = new FindingList()
  const counts = { packages: 0, versions: 0, checked: 1, bytes: 0 }
  const bytes = await readFile(join(folder, 'repository.json')).catch(() => undefined)
  const repository = bytes === undefined ? undefined : parseIndex(bytes, found)
  if (bytes === undefined)
    found.error('repository_missing', 'repository.json', 'there is no such file; build it first')
  if (bytes === undefined || repository === undefined) return reportOf(found, counts)

  const files = new PublishedFiles(folder, repository.packages.url)
  const read = async (kind: 'packages' | 'resources' | 'manifests') => {
    const resource = repository[kind]
    const content = resource && (await readResource(kind, resource, files, found))
    counts.checked += content === undefined ? 0 : 1
    counts.bytes += content?.length ?? 0
    return content
  }
  const packages = await read('packages')
  const brand = options.brand ?? (packages && brandIn(packages))
  const list = parseList(packages, brand, found)
  counts.packages = list.length
  const archives = await checkArchives(
    list,
    files,
    found,
    brand === undefined ? options : { ...options, brand },
  )
  counts.versions = archives.versions
  counts.checked += archives.inspections.size
  counts.bytes += archives.bytes
  if ((await read('resources')) !== undefined) await checkIcons(repository, files, archives.icons, found)
  await checkManifests(await read('manifests'), archives.inspections, files, found)
  await findUnreferenced(files, archives.names, found)
  await checkSignatures(folder, bytes, options.now ?? systemSurroundings.now, found)
  return reportOf(found, counts)
}

/** As it was built: whoever verifies need not know. */
function brandIn(bytes: Uint8Array): string | undefined {
  try {
    return brandOfList(JSON.parse(Buffer.from(bytes).toString('utf8')))
  } catch {
    // What is wrong with it is told when it is read in earnest.
    return undefined
  }
}

function parseIndex(bytes: Uint8Array, found: FindingList): Repository | undefined {
  const text = Buffer.from(bytes).toString('utf8')
  const { kind, isValid, findings } = validateText(text)
  found.addFindings('repository_invalid', 'repository.json', findings)
  if (bytes.length > SMALL_INDEX) {
    found.warn(
      'repository_too_large',
      'repository.json',
      `has ${bytes.length} bytes; existing tools read ${SMALL_INDEX}`,
    )
  }
  if (isValid && kind === 'repository') return JSON.parse(text) as Repository
  if (findings.length === 0)
    found.error('repository_invalid', 'repository.json', 'is another kind of document')
  return undefined
}

async function readResource(
  kind: string,
  { url, sha256 }: RepositoryResource,
  files: PublishedFiles,
  found: FindingList,
): Promise<Uint8Array | undefined> {
  const name = files.nameOf(url)
  if (name === undefined) {
    found.warn('outside', url, `the ${kind} are published elsewhere and were not checked`)
    return undefined
  }
  const bytes = await readFile(files.pathOf(name)).catch(() => undefined)
  if (bytes === undefined) {
    found.error(`${kind}_missing`, name, 'repository.json names it, and it is not there')
    return undefined
  }
  if (sha256 === undefined) {
    found.warn(
      'no_hash',
      name,
      'repository.json gives no sha256; nobody can tell whether it is the right one',
    )
    return bytes
  }
  const { diagnosis, message } = await diagnoseHash(bytes, sha256)
  if (diagnosis !== 'match') found.error('hash_mismatch', name, message)
  return bytes
}

function parseList(
  bytes: Uint8Array | undefined,
  brand: string | undefined,
  found: FindingList,
): PackageArray['packages'] {
  if (bytes === undefined) return []
  const options = brand === undefined ? {} : { brand }
  const report = validateText(Buffer.from(bytes).toString('utf8'), options)
  found.addFindings('packages_invalid', 'packages.json', report.findings)
  for (const { identifier, index, findings } of report.packages) {
    found.addFindings('package_invalid', identifier ?? `package ${index}`, findings)
  }
  return report.packages.flatMap(({ value }) => value ?? [])
}

async function checkIcons(
  { resources }: Repository,
  files: PublishedFiles,
  expected: ReadonlyMap<string, Uint8Array>,
  found: FindingList,
): Promise<void> {
  const name = files.nameOf(resources?.url ?? '') ?? ''
  const icons = await readResourcesIcons(files.pathOf(name)).catch((error: Error) => {
    found.error('resources_unreadable', name, error.message)
    return undefined
  })
  if (icons === undefined) return
  for (const [identifier, icon] of expected) {
    const shown = icons.get(identifier)
    if (shown === undefined)
      found.warn('icon_missing', identifier, `its archive has an icon and ${name} has none`)
    else if (!Buffer.from(shown).equals(icon))
      found.warn('icon_differs', identifier, `${name} has another icon than its archive`)
  }
}

async function findUnreferenced(
  files: PublishedFiles,
  names: ReadonlySet<string>,
  found: FindingList,
): Promise<void> {
  for (const file of await readdir(files.pathOf('archives')).catch(() => [])) {
    const name = `archives/${file}`
    if (!names.has(name)) found.warn('unreferenced', name, 'no version names it; it can be removed')
  }
}

/** Follows the signatures from the first root, as a new client would. A repository without them is not at fault. */
async function checkSignatures(
  folder: string,
  repository: Uint8Array,
  now: () => number,
  found: FindingList,
): Promise<void> {
  const metadata = join(folder, 'tuf')
  if (!(await stat(metadata).catch(() => undefined))?.isDirectory()) return
  const root = await readFile(join(metadata, '1.root.json')).catch(() => undefined)
  if (root === undefined) {
    found.error('signature_invalid', 'tuf/1.root.json', 'is missing; clients begin with the first root')
    return
  }
  const cacheFolder = await mkdtemp(join(tmpdir(), 'patchbay-verify-'))
  try {
    const index = openTrustedIndex({
      metadataUrl: `${pathToFileURL(metadata).href}/`,
      cacheFolder,
      root,
      fetch: () => Promise.reject(new Error('a folder is read without a network')),
      now: () => new Date(now()),
    })
    await index.check('repository.json', repository)
  } catch (error) {
    if (!(error instanceof TrustFailure)) throw error
    found.error('signature_invalid', 'tuf', error.message)
  } finally {
    await rm(cacheFolder, { recursive: true, force: true })
  }
}
