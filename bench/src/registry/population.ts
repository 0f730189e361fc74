import type { Package, PackageVersion } from '@patchbay/package-format'
import type { RegistryTables } from '@patchbay/registry'
import type { Client } from 'pg'
import { hashLike, ownerOf, syntheticPackage } from './synthetic-package.ts'

export interface PackageRange {
  readonly from: number
  readonly count: number
  /** Of all of them, instead of the usual ones. */
  readonly owner?: string
}

const BATCH = 2_000
const TOOL_END = 999

/** Rows as publishing would have written them, without archives: nobody downloads these. */
export async function insertPackages(client: Client, { from, count, owner }: PackageRange): Promise<void> {
  const isLarge = count > BATCH
  const indexes = isLarge ? await dropIndexes(client) : []
  // The rows of packages are written once, when their versions are there: updated ones would leave a table of half its rows.
  await client.query('set session_replication_role = replica')
  for (let first = from; first < from + count; first += BATCH) {
    const length = Math.min(BATCH, from + count - first)
    const numbers = Array.from({ length }, (_, index) => first + index)
    const packages = numbers.map((number) => syntheticPackage(number))
    await insertRows(
      client,
      'package_versions',
      packages.flatMap((each, index) => versionRows(each, first + index)),
    )
    const packageRows = packages.map((each, index) => packageRow(each, first + index, owner))
    await insertRows(client, 'packages', packageRows, COMPUTED)
  }
  await client.query('reset session_replication_role')
  for (const definition of indexes) await client.query(definition)
  await client.query('vacuum analyze packages, package_versions')
}

const COMPUTED = {
  fits: 'package_fits(identifier)',
  search: `setweight(to_tsvector('simple', name), 'A')
    || setweight(to_tsvector('simple', replace(identifier, '.', ' ') || ' ' || array_to_string(tags, ' ')), 'B')
    || setweight(to_tsvector('simple', description), 'C')
    || setweight(to_tsvector('simple', author || ' ' || (metadata ->> 'description_full')), 'D')`,
}

async function insertRows<Table extends keyof RegistryTables>(
  client: Client,
  table: Table,
  rows: readonly Readonly<Partial<Record<keyof RegistryTables[Table], unknown>>>[],
  computed: Readonly<Record<string, string>> = {},
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  await client.query(
    `insert into ${table} (${[...columns, ...Object.keys(computed)].join(', ')})
    select ${[...columns, ...Object.values(computed)].join(', ')} from jsonb_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  )
}

function packageRow({ versions: _versions, ...metadata }: Package, number: number, owner = ownerOf(number)) {
  const at = timeOf(number)
  return {
    identifier: metadata.identifier,
    owner,
    visibility: 'public',
    is_listed: true,
    type: metadata.type,
    name: metadata.name,
    description: metadata.description,
    author: metadata.author.name,
    license: metadata.license,
    tags: metadata.tags,
    metadata,
    icon_sha256: null,
    latest_version: '1.2.0',
    created_at: at,
    updated_at: at,
  }
}

function versionRows({ identifier, versions }: Package, number: number) {
  return versions.map((version) => ({
    identifier,
    version: version.version,
    sort_key: [0, ...version.version.split('.').map(Number)],
    status: version.status,
    metadata: storedMetadata(version),
    tool_min: toolKey(version.tool_version, 0),
    tool_max: toolKey(version.tool_version_max ?? `${TOOL_END}`, TOOL_END),
    platforms: version.platforms ?? [],
    archive_sha256: version.download_sha256,
    archive_size: version.download_size,
    install_size: version.install_size,
    manifest_sha256: hashLike(number),
    published_at: timeOf(number),
    published_by: ownerOf(number),
  }))
}

/** Without what has columns of its own. */
function storedMetadata({ version, tool_version, tool_version_max, platforms }: PackageVersion) {
  return { version, tool_version, tool_version_max, platforms }
}

function toolKey(version: string, missing: number): number[] {
  const parts = version.split('.').map(Number)
  return [0, 1, 2].map((index) => parts[index] ?? missing)
}

/** One a minute. */
function timeOf(number: number): string {
  return new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString()
}

/** Filling a table first and indexing it afterwards is many times faster. Answers how to make them again. */
async function dropIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
    where tablename in ('packages', 'package_versions')
      and indexname not in (select conname from pg_constraint)`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}
