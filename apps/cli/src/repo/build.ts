import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Contact } from '@patchbay/package-format'
import { type BuildTrust, buildRepository } from '@patchbay/package-manager/repository'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { pairsOf } from '../command/pairs.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { counted } from '../terminal/table.ts'
import { readKeys } from './key-folder.ts'
import type { KeyRole } from './key-role.ts'
import { newestRoot, readTrust, requireInUse, trustFolderOf } from './trust-folder.ts'
import { pemsOf } from './trust-init.ts'

export interface BuildWords {
  readonly out: string
  readonly name: string
  readonly baseUrl: string
  readonly maintainer?: string
  readonly contact?: readonly string[]
  readonly toolBrand?: string
  readonly keys?: string
  readonly trust?: string
  readonly lifetimeDays?: number
  readonly allowReplaced?: boolean
  readonly allowEmpty?: boolean
  readonly json?: boolean
}

/** `patchbay repo build`. */
export async function buildFrom(task: Task, folder: string, words: BuildWords): Promise<Outcome> {
  refuseAddress(words.baseUrl)
  const trust = words.keys === undefined ? undefined : await trustFrom(words.keys, words)
  await mkdir(words.out, { recursive: true })
  using progress = task.progress('Reading packages', { unit: 'things' })
  const result = await buildRepository({
    folder,
    out: words.out,
    name: words.name,
    baseUrl: words.baseUrl,
    ...(words.maintainer === undefined ? {} : { maintainer: maintainerOf(words) }),
    ...(words.toolBrand === undefined ? {} : { brand: words.toolBrand }),
    ...(trust === undefined ? {} : { trust }),
    allowReplaced: words.allowReplaced === true,
    allowEmpty: words.allowEmpty === true,
    signal: task.signal,
    onProgress: ({ done, total }) => progress.update(done, total),
  })
  const { packages, versions, written, unchanged, removed, warnings } = result
  const address = new URL('repository.json', withSlash(words.baseUrl)).href
  return {
    json: { ...result, out: resolve(words.out), repository_url: address, is_signed: trust !== undefined },
    text: [
      ...warnings.map((warning) => `Warning: ${stripHidden(warning)}`),
      `Built ${counted(packages, 'package')} with ${counted(versions, 'version')} into ${words.out}${trust === undefined ? '' : ', signed'}.`,
      `  ${counted(written.length, 'file')} written, ${unchanged.length} unchanged, ${removed.length} removed`,
      `Publish the folder, so that this is its address: ${address}`,
      ...(packages === 0 ? [`${folder} has no packages: put *.zip or package folders there.`] : []),
    ].join('\n'),
  }
}

function maintainerOf({ maintainer = '', contact }: BuildWords): Contact {
  return { name: maintainer, contact: pairsOf('--contact', contact) }
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`
}

function refuseAddress(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && /^(https?|file):$/.test(url.protocol) && url.search === '' && url.hash === '')
    return
  throw new Refusal(
    EXIT.usage,
    'bad_address',
    `--base-url must be the address of a folder, such as https://example.com/packages/, not "${stripHidden(text)}".`,
  )
}

async function trustFrom(folder: string, words: BuildWords): Promise<BuildTrust> {
  const keys = await readKeys(folder)
  const trust = await readTrust(trustFolderOf(folder, words.trust))
  const { description } = newestRoot(trust)
  const pems = (role: KeyRole) => pemsOf(requireInUse(keys, description, role, folder), role)
  return {
    roots: trust.roots,
    keys: { targets: pems('targets'), online: pems('online') },
    ...(words.lifetimeDays === undefined ? {} : { lifetimeDays: words.lifetimeDays }),
  }
}
