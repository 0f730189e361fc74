import {
  deletePackageVersion,
  deleteYank,
  patchPackage,
  patchPackageVersion,
  putYank,
} from '@patchbay/contracts/registry'
import { IDENTIFIER_PATTERN, VERSION_PATTERN, type VersionStatus } from '@patchbay/package-format'
import { EXIT } from '../account/ending.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { openRegistry } from '../registry/registry.ts'
import type { PublishWords } from './publish.ts'

interface StatusChange {
  readonly identifier: string
  readonly version: string
  readonly status: VersionStatus
}

/** `patchbay package status`. */
export async function changeStatus(
  task: Task,
  { identifier, version, status }: StatusChange,
  words: PublishWords,
): Promise<Outcome> {
  const registry = await openRegistry(task, words.server)
  const owner = words.owner ?? (await registry.findOwner(identifier))
  await registry.ask(patchPackageVersion, {
    params: { owner, identifier, version },
    body: { status },
  })
  return {
    json: { identifier, version, status, owner },
    text: `${identifier} ${version} is ${status} now.`,
  }
}

/** `patchbay package delist` and `list-again`. */
export async function changeListing(
  task: Task,
  identifier: string,
  isListed: boolean,
  words: PublishWords,
): Promise<Outcome> {
  const registry = await openRegistry(task, words.server)
  const owner = words.owner ?? (await registry.findOwner(identifier))
  await registry.ask(patchPackage, { params: { owner, identifier }, body: { is_listed: isListed } })
  const text = isListed
    ? `${identifier} is listed again: feeds and search show it within seconds.`
    : `${identifier} is delisted: it is in no feed and no search. Whoever has it keeps it; nothing was deleted.\nUndo it with "patchbay package list-again ${identifier}".`
  return { json: { identifier, owner, is_listed: isListed }, text }
}

export interface YankWords extends PublishWords {
  readonly reason?: string
  readonly undo?: boolean
}

/** `patchbay package yank`. */
export async function yankVersion(task: Task, named: string, words: YankWords): Promise<Outcome> {
  const { identifier, version } = namedVersion(named)
  const { reason = '', undo: isUndone = false } = words
  const registry = await openRegistry(task, words.server)
  const owner = words.owner ?? (await registry.findOwner(identifier))
  const params = { owner, identifier, version }
  if (isUndone) await registry.ask(deleteYank, { params })
  else await registry.ask(putYank, { params, body: { reason } })
  const text = isUndone
    ? `${identifier} ${version} is offered again: feeds and search show it within seconds.`
    : `${identifier} ${version} is yanked and no longer offered. Existing installations keep it, and "patchbay install ${identifier}@${version}" still works.\nUndo it with "patchbay package yank ${identifier}@${version} --undo".`
  return {
    json: { identifier, version, owner, is_yanked: !isUndone, reason: isUndone ? null : reason },
    text,
  }
}

/** `patchbay package delete`. */
export async function deleteVersion(task: Task, named: string, words: PublishWords): Promise<Outcome> {
  const { identifier, version } = namedVersion(named)
  const registry = await openRegistry(task, words.server)
  const owner = words.owner ?? (await registry.findOwner(identifier))
  await registry.ask(deletePackageVersion, { params: { owner, identifier, version } })
  return {
    json: { identifier, version, owner },
    text: `${identifier} ${version} is deleted. This version can never be published again with other content.`,
  }
}

function namedVersion(named: string): { readonly identifier: string; readonly version: string } {
  const [identifier = '', version = '', ...rest] = named.split('@')
  const isNamed = new RegExp(IDENTIFIER_PATTERN).test(identifier) && new RegExp(VERSION_PATTERN).test(version)
  if (isNamed && rest.length === 0) return { identifier, version }
  throw new Refusal(EXIT.usage, 'bad_identifier', 'Name one version, such as com.example.blinky@1.2.0.')
}
