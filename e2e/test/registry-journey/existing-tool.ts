import { createHash } from 'node:crypto'
import type { Files } from './computer.ts'
import { unzip } from './unzip.ts'
import { upstreamCheck } from './upstream-schema.ts'

/** As existing tools have them. */
const MOST_BYTES = { repository: 20_480, packages: 10 * 1024 ** 2, resources: 100 * 1024 ** 2 }
const FOLDERS = new Set([
  'plugins',
  'footprints',
  '3dmodels',
  'symbols',
  'resources',
  'colors',
  'templates',
  'scripts',
])

interface Resource {
  readonly url: string
  readonly sha256: string
  readonly update_timestamp: number
}

interface Repository {
  readonly packages: Resource
  /** Absent: no package has an icon. */
  readonly resources?: Resource
}

interface ListedVersion {
  readonly version: string
  readonly kicad_version: string
  readonly download_url: string
  readonly download_sha256: string
  readonly download_size: number
}

interface ListedPackage {
  readonly identifier: string
  readonly versions: readonly ListedVersion[]
}

/** A design tool that was there before Patchbay: it knows the address of a repository, and nothing else. */
export interface ExistingTool {
  /** Looks at the repository. `false`: by its time stamp nothing is new, so nothing more was read. */
  refresh(): Promise<boolean>
  packages(): readonly ListedPackage[]
  icons(): ReadonlyMap<string, Buffer>
  /** What it would write into its folder of third-party packages. */
  unpack(identifier: string, version: string): Promise<Files>
}

export function openExistingTool(address: string): ExistingTool {
  const isAccepted = upstreamCheck()
  let timestamp: number | undefined
  let packages: readonly ListedPackage[] = []
  let icons: ReadonlyMap<string, Buffer> = new Map()
  return {
    packages: () => packages,
    icons: () => icons,
    async refresh() {
      const text = await read(address, MOST_BYTES.repository)
      const repository = JSON.parse(String(text)) as Repository
      if (!isAccepted('Repository', repository)) throw new Error('the repository is not valid')
      if (repository.packages.update_timestamp === timestamp) return false
      const list = await readResource(repository.packages, MOST_BYTES.packages)
      const parsed = JSON.parse(String(list)) as { readonly packages: readonly ListedPackage[] }
      if (!isAccepted('PackageArray', parsed)) throw new Error('the list of packages is not valid')
      icons =
        repository.resources === undefined
          ? new Map()
          : unzip(await readResource(repository.resources, MOST_BYTES.resources))
      ;({ packages } = parsed)
      timestamp = repository.packages.update_timestamp
      return true
    },
    async unpack(identifier, version) {
      const listed = packages
        .find((each) => each.identifier === identifier)
        ?.versions.find((each) => each.version === version)
      if (listed === undefined) throw new Error(`${identifier} ${version} is not listed`)
      const { download_url: url, download_sha256: sha256, download_size: size } = listed
      return placed(identifier, unzip(await readResource({ url, sha256 }, size)))
    },
  }
}

/** `$dir/x` goes to `$dir/<identifier with _>/x`; what is in none of its folders is left out. */
function placed(identifier: string, entries: ReadonlyMap<string, Buffer>): Files {
  const files = [...entries].flatMap(([name, content]) => {
    const [folder = '', ...rest] = name.split('/')
    if (!FOLDERS.has(folder) || rest.length === 0 || rest.at(-1) === '') return []
    return [
      [[folder, identifier.replaceAll('.', '_'), ...rest].join('/'), content.toString('latin1')] as const,
    ]
  })
  return Object.fromEntries(files)
}

async function readResource(
  { url, sha256 }: Pick<Resource, 'url' | 'sha256'>,
  most: number,
): Promise<Buffer> {
  const bytes = await read(url, most)
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== sha256) throw new Error(`${url} has the hash ${found}, not ${sha256}`)
  return bytes
}

async function read(url: string, most: number): Promise<Buffer> {
  const answer = await fetch(url)
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (bytes.length > most) throw new Error(`${url} has ${bytes.length} bytes, more than ${most}`)
  return bytes
}
