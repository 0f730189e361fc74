import { mkdir, mkdtemp, readFile, realpath, rm, rmdir } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { writeResourcesZip } from '@patchbay/package-archive'
import type { RepositoryResource } from '@patchbay/package-format'
import { sha256Of } from '../client/body.ts'
import { systemSurroundings } from '../surroundings.ts'
import type { BuildOptions, BuildResult } from './build-options.ts'
import { RepositoryBuildRefused } from './build-refused.ts'
import { checkBuild } from './check-build.ts'
import { findSources } from './find-sources.ts'
import { manifestFile, manifestsFile, packagesFile, repositoryFile, resourceOf } from './index-files.ts'
import { OutputFolder } from './output-folder.ts'
import { archiveName, listPackages, manifestName, type PackageList } from './package-list.ts'
import { readPrevious } from './previous-output.ts'
import { readSources } from './read-sources.ts'
import { signOutput } from './sign-output.ts'

/** Archives and folders in, a repository out. The same input makes the same bytes; nothing is written unless all of it is right. */
export async function buildRepository(options: BuildOptions): Promise<BuildResult> {
  const baseUrl = checkBaseUrl(options.baseUrl)
  const isNew = (await mkdir(options.out, { recursive: true })) !== undefined
  await refuseOverlap(options).catch(async (error: unknown) => {
    if (isNew) await rmdir(options.out)
    throw error
  })
  const workFolder = await mkdtemp(join(options.out, '.build-'))
  try {
    const { read, faults, warnings } = await readSources(
      await findSources(options.folder),
      workFolder,
      options,
    )
    const list = listPackages(read, baseUrl)
    const previous = await readPrevious(options.previous ?? options.out, archiveName)
    const files = await indexFiles(list, workFolder, baseUrl, options.brand)
    const checked = checkBuild(list, files.packages, previous, options)
    const refused = [...faults, ...list.faults, ...checked.faults]
    if (refused.length > 0) throw new RepositoryBuildRefused(refused)

    const now = (options.now ?? systemSurroundings.now)()
    const describe = (name: keyof typeof FILES): RepositoryResource => {
      const sha256 = sha256Of(files[name])
      const timestamp = nextTimestamp(previous.repository?.[name], sha256, options.timestamp, now)
      return resourceOf(`${baseUrl}${FILES[name]}`, sha256, timestamp)
    }
    const repository = repositoryFile({
      name: options.name,
      maintainer: options.maintainer,
      packages: describe('packages'),
      // KiCad shows an error where it is named and empty.
      resources: files.resources.length > EMPTY_ZIP_BYTES ? describe('resources') : undefined,
      manifests: describe('manifests'),
    })
    const output = await writeOutput(list, { ...files, repository }, workFolder, options, now)
    return {
      packages: list.packages.length,
      versions: list.versions.length,
      written: output.written,
      unchanged: output.unchanged,
      removed: output.removed,
      warnings: [...warnings, ...checked.warnings],
    }
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}

const FILES = { packages: 'packages.json', resources: 'resources.zip', manifests: 'manifests.json' } as const

/** A zip without entries is its end record alone. */
const EMPTY_ZIP_BYTES = 22

interface IndexFiles {
  readonly packages: Uint8Array
  readonly resources: Uint8Array
  readonly manifests: Uint8Array
}

async function indexFiles(
  list: PackageList,
  workFolder: string,
  baseUrl: string,
  brand: string | undefined,
): Promise<IndexFiles> {
  const path = join(workFolder, 'resources.zip')
  await writeResourcesZip(
    list.packages.flatMap(({ identifier, versions: [newest] }) => {
      const offered = list.versions.find((each) => each.identifier === identifier && each.version === newest)
      const icon = offered?.inspection.icon
      return icon === undefined ? [] : [{ identifier, icon }]
    }),
    path,
  )
  return {
    packages: packagesFile(list.packages, brand),
    resources: await readFile(path),
    manifests: manifestsFile(list.versions, baseUrl),
  }
}

/** What is named is there before the name: somebody may be reading the folder over the web meanwhile. */
async function writeOutput(
  list: PackageList,
  files: IndexFiles & { readonly repository: Uint8Array },
  workFolder: string,
  { out, trust }: BuildOptions,
  now: number,
): Promise<OutputFolder> {
  const output = new OutputFolder(out)
  await output.removeLeftovers(['', 'archives', 'manifests', 'tuf'], now)
  const names = new Set<string>()
  for (const offered of list.versions) {
    const archive = archiveName(offered.identifier, offered.version.version)
    const manifest = manifestName(offered.identifier, offered.version.version)
    names.add(archive).add(manifest)
    await output.putArchive(archive, offered, workFolder)
    await output.write(manifest, manifestFile(offered))
  }
  await output.write(FILES.manifests, files.manifests)
  await output.write(FILES.resources, files.resources)
  await output.write(FILES.packages, files.packages)
  await output.write('repository.json', files.repository)
  if (trust !== undefined) {
    const signed = await signOutput({ trust, folder: join(out, 'tuf'), repository: files.repository, now })
    for (const { name, bytes } of signed) await output.write(`tuf/${name}`, bytes)
  }
  await output.removeOthers('archives', '.zip', names)
  await output.removeOthers('manifests', '.json', names)
  return output
}

/** What nothing names any more is deleted in the output, and it shall not be the author's work. */
async function refuseOverlap({ folder, out }: BuildOptions): Promise<void> {
  const [source, target] = [await realpath(folder), await realpath(out)]
  if (!isInside(source, target) && !isInside(target, source)) return
  const message = `is the same folder as ${out}, or one is inside of the other: choose one beside it, because the build deletes there what it does not need`
  throw new RepositoryBuildRefused([{ code: 'folders_overlap', source: folder, message, findings: [] }])
}

/** Also when they are the same. */
function isInside(inner: string, outer: string): boolean {
  const path = relative(outer, inner)
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}

function checkBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // Not repeated: it would be published with every address, and so it shall not be in a log either.
  if (url !== undefined && `${url.username}${url.password}` !== '')
    throw new TypeError('baseUrl holds a user name or password, which everybody could read; leave it out')
  const isFit =
    url !== undefined && /^(https?|file):$/.test(url.protocol) && url.search === '' && url.hash === ''
  if (!isFit)
    throw new TypeError(`baseUrl: ${JSON.stringify(text)} is no http, https or file URL of a folder`)
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}

/**
 * A file that has not changed keeps its time: the time of a file on disk would differ from machine to machine. One that
 * has changed gets a later time than before, or clients would refuse it as a step back.
 */
function nextTimestamp(
  previous: RepositoryResource | undefined,
  sha256: string,
  given: number | undefined,
  now: number,
): number {
  const before = previous?.update_timestamp ?? 0
  if (previous?.sha256 === sha256) return before
  if (given === undefined) return Math.max(Math.floor(now / 1000), before + 1)
  if (Number.isSafeInteger(given) && given > before) return given
  throw new RangeError(`timestamp ${given} is not after ${before}, which was published`)
}
