import { expect, test } from 'vitest'
import { binNameOf, signTimestamp } from '../../src/signing/index.ts'
import { forge, parse } from '../forge.ts'
import { measure } from '../signed-registry.ts'
import { createTrial, reasonOf, type Trial } from '../trial.ts'

const PATH = 'sparse/tool/com.example.blinky.json'
const BIN = binNameOf(PATH, 2)

/** A client has seen 'two'; `old` is the state with 'one'. */
async function createSeenTrial() {
  const trial = await createTrial()
  await trial.registry.publish(PATH, 'one')
  const old = trial.registry.state
  await trial.registry.publish(PATH, 'two')
  const client = trial.client()
  await client.refresh()
  expect(await client.find(PATH)).toEqual(measure('two'))
  return { trial, old, client }
}

/** A snapshot that the online key signs although it names something old, and a newer timestamp over it. */
async function plantSnapshot(
  { registry }: Trial,
  meta: (meta: Record<string, object>) => object,
): Promise<void> {
  const snapshot = registry.file('snapshot').bytes
  const version = parse(snapshot).signed.version + 1
  const changes = (signed: object) => ({
    version,
    meta: meta((signed as { meta: Record<string, object> }).meta),
  })
  const bytes = forge(snapshot, changes as never, [registry.onlineKey])
  await registry.plant('snapshot', { name: `${version}.snapshot.json`, bytes })
  const timestamp = signTimestamp({ ...registry.issue(registry.onlineKey, 'timestamp'), snapshot: bytes })
  await registry.plant('timestamp', timestamp)
}

test('[A-270] an older timestamp is refused, by the same client and after a restart', async () => {
  const { trial, old, client } = await createSeenTrial()
  await using _ = trial
  trial.registry.restore(old)
  await trial.registry.write()
  expect(await reasonOf(client.refresh())).toBe('rollback')
  expect(await reasonOf(trial.client().refresh())).toBe('rollback')
  expect(await client.find(PATH)).toEqual(measure('two'))
})

test('[A-270] a newer timestamp over an older snapshot is refused', async () => {
  const { trial, old } = await createSeenTrial()
  await using _ = trial
  const issue = trial.registry.issue(trial.registry.onlineKey, 'timestamp')
  const snapshot = old.get('snapshot')?.bytes ?? Buffer.alloc(0)
  await trial.registry.plant('timestamp', signTimestamp({ ...issue, snapshot }))
  expect(await reasonOf(trial.client().refresh())).toBe('rollback')
})

test('[A-270] a newer snapshot that names an older bin is refused', async () => {
  const { trial, old } = await createSeenTrial()
  await using _ = trial
  const before = parse(old.get('snapshot')?.bytes ?? Buffer.alloc(0)).signed as unknown as {
    meta: Record<string, object>
  }
  await plantSnapshot(trial, (meta) => ({ ...meta, [`${BIN}.json`]: before.meta[`${BIN}.json`] }))
  expect(await reasonOf(trial.client().refresh())).toBe('rollback')
})

test('[A-270] a newer snapshot that names an older list of targets is refused', async () => {
  const { trial } = await createSeenTrial()
  await using _ = trial
  const before = parse(trial.registry.file('snapshot').bytes).signed as unknown as {
    meta: Record<string, object>
  }
  await trial.registry.release([trial.registry.delegate()])
  await trial.client().refresh()
  await plantSnapshot(trial, (meta) => ({ ...meta, 'targets.json': before.meta['targets.json'] }))
  expect(await reasonOf(trial.client().refresh())).toBe('rollback')
})

test('[A-270] a newer snapshot that leaves a bin out is refused', async () => {
  const { trial } = await createSeenTrial()
  await using _ = trial
  await plantSnapshot(trial, (meta) =>
    Object.fromEntries(Object.entries(meta).filter(([name]) => name !== `${BIN}.json`)),
  )
  expect(await reasonOf(trial.client().refresh())).toBe('rollback')
})

test('[A-270] the same timestamp again is no rollback', async () => {
  const { trial, client } = await createSeenTrial()
  await using _ = trial
  expect(await reasonOf(client.refresh())).toBe('trusted')
  expect(await reasonOf(trial.client().refresh())).toBe('trusted')
})
