import type { VersionStatus } from '@patchbay/package-format'
import { patchPackage, patchPackageVersion } from '@patchbay/contracts'
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
