import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { measure, type ReleaseFile } from './packages.ts'
import { ROOT, readManifest } from './workspace.ts'

/** The targets of deploy/Dockerfile that are published. */
export const IMAGE_TARGETS = ['server', 'gateway'] as const
export type ImageTarget = (typeof IMAGE_TARGETS)[number]

/** An image as it was built. */
export interface BuiltImage {
  /** `sha256:…` of its manifest, as the registry names it. */
  readonly digest: string
  readonly commit: string
  /** Whether files had changed since that commit. */
  readonly isChanged?: boolean
  /** Who ran the build, as a URI. */
  readonly builder?: string
  /** Instead of the images that the Dockerfile names. */
  readonly bases?: Bases
}

/** Images by digest: `name:tag@sha256:…`. */
export interface Bases {
  readonly build: string
  readonly runtime: string
}

export interface ImageRecord {
  readonly name: string
  readonly tag: string
  /** Of an image that was built. */
  readonly digest: string | undefined
  /** The bill of materials and, of an image that was built, its provenance. */
  readonly files: readonly ReleaseFile[]
}

interface Component {
  readonly type: string
  readonly name: string
  readonly purl: string
  readonly 'bom-ref'?: string
  readonly version?: string
  readonly components?: readonly Component[]
}

interface Bill {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

const DOCKERFILE = 'deploy/Dockerfile'
const LOCKFILE = 'pnpm-lock.yaml'
const DIGEST = /^sha256:([0-9a-f]{64})$/
const LOCAL_BUILDER = 'urn:patchbay:builder:local'

const run = promisify(execFile)

/** Writes what an image consists of and, once it is built, where it comes from. */
export async function writeImageRecord(
  target: ImageTarget,
  out: string,
  built?: BuiltImage,
): Promise<ImageRecord> {
  if (built !== undefined && !DIGEST.test(built.digest))
    throw new Error(`${built.digest} is not the digest of an image: sha256: and 64 hexadecimal digits`)
  const dockerfile = await readFile(join(ROOT, DOCKERFILE), 'utf8')
  const { version: tag } = readManifest(join(ROOT, 'package.json'))
  const name = `patchbay-${target}`
  const bases = built?.bases ?? basesOf(dockerfile)
  const purl = imagePurl(built === undefined ? `${name}:${tag}` : `${name}:${tag}@${built.digest}`)
  const image = { type: 'container', name, version: tag, purl, 'bom-ref': purl }
  const write = async (suffix: string, content: object) => {
    const file = join(out, `${name}-${tag}${suffix}`)
    await writeFile(file, `${JSON.stringify(content, null, 2)}\n`)
    return await measure(file)
  }
  const bill = await write('.image.cdx.json', await describeContent(dockerfile, target, image, bases.runtime))
  if (built === undefined) return { name, tag, digest: undefined, files: [bill] }
  const provenance = await write('.image.provenance.json', await describeOrigin(target, name, built, bases))
  return { name, tag, digest: built.digest, files: [bill, provenance] }
}

/** The packages of its npm tree as the lockfile has them, the image that it stands on and, in the server's, the pages. */
async function describeContent(
  dockerfile: string,
  target: ImageTarget,
  image: Component,
  runtime: string,
): Promise<Bill> {
  const bill = await readBill(treeFilters(dockerfile, target))
  const root = bill.metadata.component['bom-ref']
  const base = { type: 'container', name: runtime.split(/[:@]/)[0] ?? '', purl: imagePurl(runtime) }
  return {
    ...bill,
    metadata: { ...bill.metadata, component: image },
    components: [
      { ...base, 'bom-ref': base.purl },
      ...(target === 'server' ? [await describePages()] : []),
      ...bill.components,
    ],
    dependencies: bill.dependencies.map((each) =>
      each.ref === root ? { ref: image.purl, dependsOn: [base.purl, ...each.dependsOn] } : each,
    ),
  }
}

/** Bundled into the files of the web app: they are in no folder of packages. */
async function describePages(): Promise<Component> {
  const { metadata, components } = await readBill(['--filter', '@patchbay/web'])
  // A reference names one component of a bill, and the tree beside it has some of the same packages.
  const bundled = components.map(({ 'bom-ref': _ref, ...component }) => component)
  return { ...metadata.component, type: 'application', components: bundled }
}

async function readBill(filters: readonly string[]): Promise<Bill> {
  const { stdout } = await run('pnpm', [...filters, 'sbom', '--sbom-format', 'cyclonedx', '--prod'], {
    cwd: ROOT,
    maxBuffer: 64 * 1_048_576,
  })
  return JSON.parse(stdout) as Bill
}

/** An in-toto statement with the provenance of SLSA, version 1. Nobody has signed it: who publishes the image does. */
async function describeOrigin(
  target: ImageTarget,
  name: string,
  { digest, commit, isChanged = false, builder = LOCAL_BUILDER }: BuiltImage,
  bases: Bases,
): Promise<object> {
  const lockfile = createHash('sha256').update(await readFile(join(ROOT, LOCKFILE)))
  const { repository } = JSON.parse(await readFile(join(ROOT, 'apps/cli/package.json'), 'utf8')) as {
    readonly repository: { readonly url: string }
  }
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name, digest: digestOf(digest) }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:patchbay:build:dockerfile:v1',
        externalParameters: { dockerfile: DOCKERFILE, target },
        resolvedDependencies: [
          {
            uri: repository.url,
            digest: { gitCommit: commit },
            ...(isChanged ? { annotations: { uncommittedChanges: true } } : {}),
          },
          { uri: `${repository.url}#${LOCKFILE}`, digest: { sha256: lockfile.digest('hex') } },
          ...[bases.build, bases.runtime].map((base) => ({
            uri: imagePurl(base),
            digest: digestOf(base.slice(base.indexOf('@') + 1)),
          })),
        ],
      },
      runDetails: { builder: { id: builder } },
    },
  }
}

function digestOf(text: string): { readonly sha256: string } {
  const sha256 = DIGEST.exec(text)?.[1]
  if (sha256 === undefined) throw new Error(`${text} is not a digest`)
  return { sha256 }
}

/** `pkg:oci/name@sha256%3A…?repository_url=…&tag=…`, as package URLs name images. */
function imagePurl(image: string): string {
  const [, path = '', tag, digest] = /^([^@]+?)(?::([^:/@]+))?(?:@(.+))?$/.exec(image) ?? []
  const query = new URLSearchParams({
    ...(path.includes('/') ? { repository_url: path } : {}),
    ...(tag === undefined ? {} : { tag }),
  })
  const name = path.slice(path.lastIndexOf('/') + 1)
  return `pkg:oci/${name}${digest === undefined ? '' : `@${encodeURIComponent(digest)}`}?${query.toString()}`
}

function basesOf(dockerfile: string): Bases {
  const read = (name: string) => new RegExp(`^ARG ${name}=(.*)$`, 'm').exec(dockerfile)?.[1] ?? ''
  return { build: read('BUILD_IMAGE'), runtime: read('RUNTIME_IMAGE') }
}

/** What the image installs: the same words make its bill. */
function treeFilters(dockerfile: string, target: ImageTarget): string[] {
  const [, stage = ''] = new RegExp(`AS ${target}-tree\\n([^]*?)\\nFROM `).exec(dockerfile) ?? []
  const filters = [...stage.matchAll(/--filter-prod "([^"]+)"/g)].flatMap(([, name = '']) => [
    '--filter-prod',
    name,
  ])
  if (filters.length === 0)
    throw new Error(`${DOCKERFILE} does not say what the image of the ${target} installs`)
  return filters
}
