import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { openTrustedIndex, type TrustedIndex } from '@patchbay/package-trust/verifying'
import { SettableClock } from '@patchbay/testkit/clock'
import { isDeep } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { migratedDatabase, type RegistryNode, startRegistryNode, temporaryFolder } from '../start.ts'
import { type Ceremony, holdCeremony } from './ceremony.ts'

export interface SignedRegistry extends AsyncDisposable {
  readonly node: RegistryNode
  readonly clock: SettableClock
  readonly ceremony: Ceremony
  readonly databaseUrl: string
  readonly folder: string
  /** A client that trusts the first root and nothing else. */
  openClient(node?: RegistryNode): Promise<TrustedIndex>
  anotherNode(name: string, onlineKey?: Ceremony['trust']): Promise<RegistryNode>
  /** A node that sweeps soon: in the common run a new one, which does so at once; in the deep one the one that runs. */
  sweepingNode(name: string): Promise<RegistryNode>
}

export async function startSigned(): Promise<SignedRegistry> {
  await using cleanup = new AsyncDisposableStack()
  const clock = new SettableClock()
  const folder = cleanup.use(await temporaryFolder()).path
  const databaseUrl = cleanup.use(await migratedDatabase()).url
  const ceremony = await holdCeremony(folder, clock.now())
  const nodes = cleanup.use(new AsyncDisposableStack())
  const anotherNode = async (name: string, trust = ceremony.trust) =>
    nodes.use(
      await startRegistryNode({ databaseUrl, folder, clock, node: name, sweeps: true, settings: { trust } }),
    )
  const node = await anotherNode('test-1')
  await expect
    .poll(async () => (await node.ask('/registry/tuf/timestamp.json')).status, { timeout: 20_000 })
    .toBe(200)
  const owned = cleanup.move()
  return {
    node,
    clock,
    ceremony,
    databaseUrl,
    folder,
    anotherNode,
    sweepingNode: async (name) => (isDeep ? node : await anotherNode(name)),
    openClient: async (at = node) =>
      openTrustedIndex({
        metadataUrl: `${at.url}/registry/tuf/`,
        cacheFolder: await mkdtemp(join(folder, 'client-')),
        root: ceremony.root.bytes,
        fetch: (url, init) => fetch(url, init),
        now: () => clock.now(),
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
