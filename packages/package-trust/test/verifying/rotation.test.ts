import { expect, test } from 'vitest'
import { createSigningKey, publicKeyOf, rotateRoot, signTimestamp } from '../../src/signing/index.ts'
import { forge, parse } from '../forge.ts'
import { measure } from '../signed-registry.ts'
import { createTrial, reasonOf } from '../trial.ts'

const PATH = 'sparse/tool/com.example.blinky.json'

test('[A-267] a chain of roots is followed from the pinned one, also by a client that was away for all of it', async () => {
  await using trial = await createTrial()
  await trial.registry.publish(PATH, 'one')
  const seen = trial.client()
  await seen.refresh()
  for (let rotations = 0; rotations < 4; rotations++) await trial.registry.rotateOnlineKey()
  await seen.refresh()
  expect(await seen.find(PATH)).toEqual(measure('one'))
  const fresh = trial.client({ cacheFolder: `${trial.cacheFolder}-2` })
  expect(await fresh.find(PATH)).toEqual(measure('one'))
})

test('[A-267] root keys are replaced one after the other', async () => {
  await using trial = await createTrial()
  const { registry } = trial
  const { now, expires } = registry
  let key = registry.rootKey
  for (let rotations = 0; rotations < 3; rotations++) {
    const next = createSigningKey()
    const roles = { root: { keys: [publicKeyOf(next)], threshold: 1 } }
    await registry.plant(
      'root',
      rotateRoot({ previous: registry.root, now, expires, roles, keys: [key, next] }),
    )
    key = next
  }
  expect(registry.file('root').name).toBe('4.root.json')
  expect(await reasonOf(trial.client().refresh())).toBe('trusted')
})

test('[A-267] a chain with a gap ends before the gap, and what newer keys signed is refused', async () => {
  await using trial = await createTrial()
  await trial.registry.rotateOnlineKey()
  await trial.registry.rotateOnlineKey()
  trial.server.attacks.set('2.root.json', (response) => void response.writeHead(404).end())
  expect(await reasonOf(trial.client().refresh())).toBe('bad_signature')
})

test('[A-267] a root under the number of another is refused', async () => {
  await using trial = await createTrial()
  await trial.registry.rotateOnlineKey()
  await trial.registry.rotateOnlineKey()
  trial.server.replace('2.root.json', trial.registry.root)
  expect(await reasonOf(trial.client().refresh())).toBe('mix_and_match')
})

test('[A-267] a root that only its own keys signed is refused, and so is one that only the old ones signed', async () => {
  await using trial = await createTrial()
  const { registry } = trial
  const stranger = createSigningKey()
  const { id, hex } = publicKeyOf(stranger)
  const takeover = (signed: object) => {
    const { keys, roles } = signed as { keys: object; roles: object }
    const key = { keytype: 'ed25519', scheme: 'ed25519', keyval: { public: hex } }
    return {
      version: 2,
      keys: { ...keys, [id]: key },
      roles: { ...roles, root: { keyids: [id], threshold: 1 } },
    }
  }
  trial.server.replace('2.root.json', forge(registry.root, takeover, [stranger]))
  expect(await reasonOf(trial.client().refresh())).toBe('bad_signature')
  trial.server.replace('2.root.json', forge(registry.root, takeover, [registry.rootKey]))
  expect(await reasonOf(trial.client().refresh())).toBe('bad_signature')
})

test('[A-276] after a rotation the stolen online key is not accepted anymore', async () => {
  await using trial = await createTrial()
  const { registry } = trial
  await registry.publish(PATH, 'one')
  const client = trial.client()
  await client.refresh()
  const stolen = registry.onlineKey
  await registry.rotateOnlineKey()
  await client.refresh()
  const issue = { ...registry.issue(stolen, 'timestamp'), snapshot: registry.file('snapshot').bytes }
  trial.server.replace('timestamp.json', signTimestamp(issue).bytes)
  expect(await reasonOf(client.refresh())).toBe('bad_signature')
  expect(await reasonOf(trial.client({ cacheFolder: `${trial.cacheFolder}-2` }).refresh())).toBe(
    'bad_signature',
  )
})

test('[A-276] versions that a stolen key pushed ahead lock clients out until the rotation, and not after it', async () => {
  await using trial = await createTrial()
  const { registry } = trial
  await registry.publish(PATH, 'one')
  const honest = registry.state
  const far = 2_000_000_000
  const snapshot = forge(registry.file('snapshot').bytes, () => ({ version: far }), [registry.onlineKey])
  const issue = { ...registry.issue(registry.onlineKey, 'timestamp'), version: far, snapshot }
  await registry.plant('snapshot', { name: `${far}.snapshot.json`, bytes: snapshot })
  await registry.plant('timestamp', signTimestamp(issue))
  await trial.client().refresh()

  registry.restore(honest)
  await registry.publish(PATH, 'two')
  expect(await reasonOf(trial.client().refresh())).toBe('rollback')
  await registry.rotateOnlineKey()
  const { version } = parse(registry.file('timestamp').bytes).signed
  expect(version).toBeLessThan(far)
  // Half a refresh: the new root is there, the old timestamp still is.
  trial.server.attacks.set('timestamp.json', (response) => void response.writeHead(500).end())
  expect(await reasonOf(trial.client().refresh())).toBe('unreachable')
  trial.server.attacks.clear()
  expect(await trial.client().find(PATH)).toEqual(measure('two'))

  const state = registry.state
  await registry.publish(PATH, 'three')
  await trial.client().refresh()
  registry.restore(state)
  await registry.write()
  expect(await reasonOf(trial.client().refresh())).toBe('rollback')
})
