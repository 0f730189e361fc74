import { deleteFeedAddress, getFeedAddresses, postFeedAddress } from '@patchbay/contracts/registry'
import type { Outcome, Task } from '../command/run-task.ts'
import { openRegistry } from '../registry/registry.ts'

export interface FeedAddressWords {
  readonly server?: string
  readonly owner?: string
  readonly json?: boolean
}

/** So that a command that is copied asks the same server about the same owner. */
function wordsOf({ server, owner }: FeedAddressWords): string[] {
  return [
    ...(owner === undefined ? [] : [`--owner ${owner}`]),
    ...(server === undefined ? [] : [`--server ${server}`]),
  ]
}

/** `patchbay repo feed-address create`. */
export async function createFeedAddress(
  task: Task,
  label: string,
  words: FeedAddressWords,
): Promise<Outcome> {
  const registry = await openRegistry(task, words.server)
  const owner = words.owner ?? (await registry.findHandle())
  const { body } = await registry.ask(postFeedAddress, { params: { owner }, body: { label } })
  const feeds = body.feeds.map(({ brand, url }) => `  ${brand}  ${url}`)
  return {
    json: body,
    text: [
      `A secret address of the private feed of ${owner}. It is shown this once:`,
      ...feeds,
      'Whoever has it can read all packages of the owner.',
      `Revoke it with "patchbay repo feed-address revoke ${[body.id, ...wordsOf(words)].join(' ')}".`,
    ].join('\n'),
  }
}

/** `patchbay repo feed-address list`. */
export async function listFeedAddresses(task: Task, words: FeedAddressWords): Promise<Outcome> {
  const registry = await openRegistry(task, words.server)
  const owner = words.owner ?? (await registry.findHandle())
  const { body } = await registry.ask(getFeedAddresses, { params: { owner } })
  const lines = body.addresses.map(
    ({ id, label, created_by, created_at }) => `${id}  ${created_at.slice(0, 10)}  ${created_by}  ${label}`,
  )
  return {
    json: body,
    text: lines.length === 0 ? `The private feed of ${owner} has no secret address.` : lines.join('\n'),
  }
}

/** `patchbay repo feed-address revoke`. */
export async function revokeFeedAddress(task: Task, id: string, words: FeedAddressWords): Promise<Outcome> {
  const registry = await openRegistry(task, words.server)
  const owner = words.owner ?? (await registry.findHandle())
  await registry.ask(deleteFeedAddress, { params: { owner, id } })
  return { json: { id, owner }, text: 'The secret address is revoked: it leads nowhere anymore.' }
}
