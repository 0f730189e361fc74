import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ArchiveRefused, readResourcesIcons } from '@patchbay/package-archive'
import { linkOf, type Package, type Repository } from '@patchbay/package-format'
import { forEachConcurrent } from '@patchbay/primitives/async'
import { escapeHidden } from '@patchbay/primitives/text'
import { parseRepositoryAddress } from '../client/address.ts'
import { createReadDeps } from '../client/context.ts'
import { RepositoryFailure } from '../client/failure.ts'
import { openHttp } from '../client/http-source.ts'
import { CLIENT_LIMITS, type ClientLimits } from '../client/limits.ts'
import { parsePackages } from '../client/packages-file.ts'
import type { ReadDeps } from '../client/read-file.ts'
import { parseIndex } from '../client/repository-file.ts'
import { groupBy } from '../group-by.ts'
import {
  checkLive,
  type LiveCheck,
  type LiveCheckDeps,
  type LiveKind,
  type LiveTarget,
} from './live-check.ts'
import { judge } from './live-findings.ts'
import { parseManifests } from './manifest-entries.ts'
import { FindingList, type RepositoryReport, reportOf } from './report.ts'

export interface VerifyLiveOptions {
  readonly brand?: string
  readonly apiKey?: string
  /** How many addresses are asked at once. */
  readonly concurrency?: number
  /** Also the pages that packages point to. */
  readonly checkLinks?: boolean
  readonly fetch?: typeof globalThis.fetch
  readonly now?: () => number
  readonly limits?: Partial<ClientLimits>
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: LiveProgress) => void
}

export interface LiveProgress {
  readonly done: number
  /** Grows while the index is read. */
  readonly total: number
  readonly bytes: number
  /** What the repository says it will be; 0 when it does not. */
  readonly totalBytes: number
}

export interface LiveReport extends RepositoryReport {
  readonly url: string
  readonly name: string | undefined
  /** Every address that was asked for. */
  readonly checks: readonly LiveCheck[]
  /** Pages that packages point to and that nobody looked at. */
  readonly notChecked: readonly string[]
}

interface IndexContent {
  readonly packages: readonly Package[]
  readonly manifests: readonly LiveTarget[]
}

const CONCURRENCY = 6

/** Asks for every file of a published repository, as clients will. */
export async function verifyLive(url: string, options: VerifyLiveOptions = {}): Promise<LiveReport> {
  const repository = parseRepositoryAddress(url)
  const limits = { ...CLIENT_LIMITS, ...options.limits }
  const read = createReadDeps(repository, options.apiKey, { ...options, limits })
  return new LiveRun(repository, read, options).run()
}

class LiveRun {
  readonly #found = new FindingList()
  readonly #checks: LiveCheck[] = []
  readonly #url: URL
  readonly #read: ReadDeps
  readonly #options: VerifyLiveOptions
  #done = 0
  #total = 1
  #bytes = 0
  #totalBytes = 0

  constructor(url: URL, read: ReadDeps, options: VerifyLiveOptions) {
    this.#url = url
    this.#read = read
    this.#options = options
  }

  async run(): Promise<LiveReport> {
    const { concurrency = CONCURRENCY, signal } = this.#options
    const bytes = await this.#fetchIndexFile('repository', { url: this.#url.href })
    const index = bytes && (await this.#attempt(() => parseIndex(bytes, this.#url)))
    if (index === undefined) return this.#report(undefined, [], [])
    this.#found.addFindings('repository_invalid', 'repository.json', index.warnings)
    const { packages, manifests } = await this.#readIndexFiles(index.index)
    const targets = [...packages.flatMap((each) => this.#archivesOf(each)), ...manifests]
    this.#total += targets.length
    this.#totalBytes += targets.reduce((sum, { size }) => sum + (size ?? 0), 0)
    await this.#checkAll(targets, concurrency)
    const links = linksOf(packages)
    if (this.#options.checkLinks === true) {
      await checkLinks(links, this.#read, concurrency, this.#found, signal)
    }
    return this.#report(index.index, packages, this.#options.checkLinks === true ? [] : links)
  }

  /** Many at a time, but written down in the order of the list: two reports can then be compared. */
  async #checkAll(targets: readonly LiveTarget[], concurrency: number): Promise<void> {
    const groups = groupBy(targets, ({ url, sha256, size }) => `${url} ${sha256} ${size}`)
    const checks = new Map<string, LiveCheck>()
    await forEachConcurrent([...groups], concurrency, async ([key, [target, ...same]]) => {
      this.#options.signal?.throwIfAborted()
      if (target === undefined) return
      checks.set(key, await this.#check(target))
      this.#done += 1 + same.length
      this.#tell()
    })
    for (const [key, group] of groups) {
      const check = checks.get(key)
      if (check !== undefined)
        for (const target of group) this.#record({ ...check, subject: target.subject }, target)
    }
  }

  async #readIndexFiles(index: Repository): Promise<IndexContent> {
    const kinds = (['packages', 'resources', 'manifests'] as const).filter(
      (kind) => index[kind] !== undefined,
    )
    this.#total += kinds.length
    let packages: readonly Package[] = []
    let manifests: readonly LiveTarget[] = []
    for (const kind of kinds) {
      const bytes = await this.#fetchIndexFile(kind, index[kind] ?? index.packages)
      if (bytes === undefined) continue
      if (kind === 'packages') packages = await this.#parseList(bytes, index.packages.url)
      if (kind === 'manifests') manifests = this.#manifestsOf(bytes)
      if (kind === 'resources') await checkIcons(bytes, index.resources?.url ?? '', this.#found)
    }
    return { packages, manifests }
  }

  #manifestsOf(bytes: Uint8Array): LiveTarget[] {
    const entries = parseManifests(bytes)
    if (entries === undefined)
      this.#found.error('manifests_invalid', 'manifests', 'is no JSON object with manifests')
    const { packagesBytes: maxBytes, deadlineMs } = this.#read.limits
    return (entries ?? []).map((entry) => ({ kind: 'manifest', ...entry, maxBytes, deadlineMs }))
  }

  async #parseList(bytes: Uint8Array, url: string): Promise<readonly Package[]> {
    const { brand, signal } = this.#options
    const list = await this.#attempt(() => parsePackages(bytes, new URL(url), brand, signal))
    for (const { identifier, findings } of list?.quarantined ?? []) {
      this.#found.addFindings('package_invalid', identifier ?? 'a package', findings)
    }
    return list?.packages ?? []
  }

  #archivesOf({ identifier, versions }: Package): LiveTarget[] {
    return versions.flatMap((version) => {
      const subject = `${identifier} ${version.version}`
      const { download_url: url, download_sha256: sha256, download_size: size } = version
      if (url === undefined) {
        this.#found.error('no_download', subject, 'has no download_url; nobody can install it')
        return []
      }
      const { archiveBytes: maxBytes, downloadDeadlineMs: deadlineMs } = this.#read.limits
      return [{ kind: 'archive', subject, url, sha256, size, maxBytes, deadlineMs }]
    })
  }

  async #fetchIndexFile(
    kind: Exclude<LiveKind, 'archive' | 'manifest'>,
    { url, sha256 }: { readonly url: string; readonly sha256?: string },
  ): Promise<Uint8Array | undefined> {
    const { limits } = this.#read
    const sizes = {
      repository: limits.repositoryBytes,
      packages: limits.packagesBytes,
      manifests: limits.packagesBytes,
      resources: limits.resourcesBytes,
    }
    let content: Uint8Array | undefined
    const target = { kind, subject: kind, url, sha256, maxBytes: sizes[kind], deadlineMs: limits.deadlineMs }
    const check = await this.#check(target, (bytes) => {
      content = bytes
    })
    this.#done += 1
    this.#record(check, target)
    this.#tell()
    return check.failure === undefined || check.failure.code === 'hash_mismatch' ? content : undefined
  }

  async #check(target: LiveTarget, onContent?: (bytes: Uint8Array) => void): Promise<LiveCheck> {
    const deps: LiveCheckDeps = {
      repository: this.#url,
      read: this.#read,
      signal: this.#options.signal,
      ...(onContent === undefined ? {} : { onContent }),
      onBytes: (bytes) => {
        this.#bytes += bytes
        this.#tell()
      },
    }
    return checkLive(target, deps)
  }

  #record(check: LiveCheck, target: LiveTarget): void {
    this.#checks.push(check)
    judge(check, target, this.#found)
  }

  /** What cannot be read is written down; the run goes on with the rest. */
  async #attempt<T>(parse: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await parse()
    } catch (error) {
      if (!(error instanceof RepositoryFailure)) throw error
      this.#found.error(error.code, error.url ?? this.#url.href, error.message, error.findings)
      return undefined
    }
  }

  #tell(): void {
    const [total, totalBytes] = [this.#total, this.#totalBytes]
    this.#options.onProgress?.({ done: this.#done, total, bytes: this.#bytes, totalBytes })
  }

  #report(
    index: Repository | undefined,
    packages: readonly Package[],
    notChecked: readonly string[],
  ): LiveReport {
    const report = reportOf(this.#found, {
      packages: packages.length,
      versions: packages.reduce((sum, { versions }) => sum + versions.length, 0),
      checked: this.#checks.length,
      bytes: this.#bytes,
    })
    const name = index && escapeHidden(index.name)
    return { ...report, url: this.#url.href, name, checks: this.#checks, notChecked }
  }
}

/** Whether icons can be read from the resources at all. */
async function checkIcons(bytes: Uint8Array, url: string, found: FindingList): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-icons-'))
  try {
    const path = join(folder, 'resources.zip')
    await writeFile(path, bytes)
    await readResourcesIcons(path)
  } catch (error) {
    if (!(error instanceof ArchiveRefused)) throw error
    found.error('resources_unreadable', url, error.message)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The pages that packages point to, each once. */
function linksOf(packages: readonly Package[]): string[] {
  const texts = packages.flatMap(({ resources, author, maintainer }) => [
    ...Object.values(resources),
    ...Object.values(author.contact),
    ...Object.values(maintainer?.contact ?? {}),
  ])
  return [...new Set(texts.flatMap((text) => linkOf(text)?.href ?? []))].toSorted()
}

/** A page that is gone stops nobody from installing: warnings only. */
async function checkLinks(
  links: readonly string[],
  read: ReadDeps,
  concurrency: number,
  found: FindingList,
  signal: AbortSignal | undefined,
): Promise<void> {
  await forEachConcurrent(links, concurrency, async (link) => {
    signal?.throwIfAborted()
    try {
      const { deadlineMs } = read.limits
      const request = { url: new URL(link), accept: 'text/html, */*;q=0.8', maxBytes: 0, deadlineMs, signal }
      // Pages of others never see the key, whatever their origin.
      await (await openHttp(request, { ...read, key: undefined })).close()
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof RepositoryFailure)) throw error
      found.warn('link_broken', link, error.message)
    }
  })
}
