import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ObjectStore } from '@patchbay/kernel/objects'
import {
  type DatabaseDump,
  type DatabaseUrl,
  dumpDatabase,
  findRows,
  migrate,
  restoreDatabase,
} from '@patchbay/kernel/postgres'
import { serverMigrations } from './prepare-database.ts'
import { VERSION } from './version.ts'

/** Says what a folder holds; written last, so that a folder without it is no backup. */
interface Manifest {
  readonly format: 1
  readonly version: string
  readonly madeAt: string
  readonly database: DatabaseDump
  /** SHA-256 of the rows of each table. */
  readonly tableHashes: Readonly<Record<string, string>>
  /** How many there are of each kind; each is named by its own SHA-256. */
  readonly objects: number
  readonly files: number
  /** Of devices. Backups of older versions have none. */
  readonly recordings?: number
  /** Of boards. The same. */
  readonly libraries?: number
}

export interface BackupPlace {
  readonly databaseUrl: DatabaseUrl
  /** Archives, icons and pictures, and apart from them the bytes of files. */
  readonly objects: ObjectStore
  readonly files: ObjectStore
  readonly recordings: ObjectStore
  readonly libraries: ObjectStore
  readonly folder: string
  /** Where the index is signed: the files that say who may sign it, and the key that does. */
  readonly signing?: { readonly folder: string; readonly onlineKeyFile: string } | undefined
  /** One line for each part that is done. */
  readonly print: (text: string) => void
}

/** Why a folder cannot be written to, or is not restored. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}

const MANIFEST = 'manifest.json'
const ONLINE_KEY = 'signing/online.pem'
const STORES = ['objects', 'files', 'recordings', 'libraries'] as const
const OBJECTS_PER_PAGE = 1_000

/**
 * The database of one moment, then the objects: each that a row names is there, because objects never change and are not
 * removed while rows name them.
 */
export async function makeBackup(place: BackupPlace, now: Date): Promise<void> {
  const { databaseUrl, folder, signing, print } = place
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0)
    throw new BackupRefused(`${folder} is not empty. A backup gets a folder of its own.`)
  await mkdir(join(folder, 'tables'))
  const tableHashes: Record<string, string> = {}
  const database = await dumpDatabase(databaseUrl, async (table, rows) => {
    tableHashes[table] = await writeHashed(rows, join(folder, 'tables', table))
  })
  print(`database: ${database.tables.length} tables, ${count(database)} rows`)
  const copied = { objects: 0, files: 0, recordings: 0, libraries: 0 }
  for (const kind of STORES) {
    copied[kind] = await copyObjects(place[kind], join(folder, kind))
    print(`${kind}: ${copied[kind]}`)
  }
  if (signing !== undefined) {
    await cp(signing.folder, join(folder, 'signing/trust'), { recursive: true })
    await cp(signing.onlineKeyFile, join(folder, ONLINE_KEY))
    print('signing: the trust folder and the online key')
  }
  const manifest: Manifest = {
    format: 1,
    version: VERSION,
    madeAt: now.toISOString(),
    database,
    tableHashes,
    ...copied,
  }
  await writeFile(join(folder, 'manifest.new'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
  await rename(join(folder, 'manifest.new'), join(folder, MANIFEST))
}

/** Into an installation that has nothing yet. Objects first: a row must never name one that is not there. */
export async function restoreBackup(place: BackupPlace): Promise<void> {
  const { databaseUrl, folder, signing, print } = place
  const manifest = await readManifest(folder)
  const migrations = await serverMigrations()
  const had = manifest.database.migrations.map(({ area, number }) => `${area} ${number}`)
  const then = migrations.filter(({ area, number }) => had.includes(`${area} ${number}`))
  if (then.length < had.length)
    throw new BackupRefused(
      `The backup is of a database that a version newer than this one (${VERSION}) has migrated. Restore it with that version.`,
    )
  // As they were: rows fit into the tables that they come from, and newer migrations change rows as well.
  await migrate({ url: databaseUrl, migrations: then })
  const [used] = await findRows(databaseUrl)
  if (used !== undefined)
    throw new BackupRefused(
      `The database is not empty: ${used} has rows. A backup is restored into a new one.`,
    )
  for (const kind of STORES) {
    if (manifest[kind] === undefined) continue
    const names = await readdir(join(folder, kind))
    if (names.length !== manifest[kind])
      throw new BackupRefused(
        `The backup has ${names.length} ${kind}, and says that it has ${manifest[kind]}.`,
      )
    for (const sha256 of names)
      await place[kind].put(createReadStream(join(folder, kind, sha256)), { expectedSha256: sha256 })
    print(`${kind}: ${names.length}`)
  }
  for (const [table, expected] of Object.entries(manifest.tableHashes))
    if ((await hashOf(createReadStream(join(folder, 'tables', table)))) !== expected)
      throw new BackupRefused(`The rows of ${table} are not the ones that were written.`)
  await restoreDatabase(databaseUrl, manifest.database, (table) =>
    createReadStream(join(folder, 'tables', table)),
  )
  await migrate({ url: databaseUrl, migrations })
  if (signing !== undefined && existsSync(join(folder, ONLINE_KEY))) {
    // What is there already is newer, or somebody else's.
    await cp(join(folder, 'signing/trust'), signing.folder, { recursive: true, force: false })
    await cp(join(folder, ONLINE_KEY), signing.onlineKeyFile, { force: false })
    print('signing: the trust folder and the online key, where there were none')
  }
  print(`database: ${manifest.database.tables.length} tables, ${count(manifest.database)} rows`)
}

async function readManifest(folder: string): Promise<Manifest> {
  if (!existsSync(join(folder, MANIFEST)))
    throw new BackupRefused(`${folder} holds no backup, or one that was not finished.`)
  const manifest = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest
  if (manifest.format !== 1)
    throw new BackupRefused(`${folder} holds a backup of a kind that is not known here.`)
  return manifest
}

function count({ tables }: DatabaseDump): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}

async function copyObjects(objects: ObjectStore, folder: string): Promise<number> {
  await mkdir(folder)
  let copied = 0
  for await (const sha256 of allObjects(objects)) {
    const content = await objects.get(sha256)
    // Collected since it was listed: no row of that moment names it.
    if (content === undefined) continue
    await pipeline(content.stream, createWriteStream(join(folder, sha256), { mode: 0o600 }))
    copied += 1
  }
  return copied
}

async function* allObjects(objects: ObjectStore): AsyncGenerator<string> {
  let after: string | undefined
  do {
    const page = await objects.list({ limit: OBJECTS_PER_PAGE, ...(after === undefined ? {} : { after }) })
    for (const { sha256 } of page.objects) yield sha256
    after = page.next
  } while (after !== undefined)
}

async function writeHashed(source: Readable, file: string): Promise<string> {
  const hash = createHash('sha256')
  source.on('data', (chunk: Buffer) => hash.update(chunk))
  await pipeline(source, createWriteStream(file, { mode: 0o600 }))
  return hash.digest('hex')
}

async function hashOf(source: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of source) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
