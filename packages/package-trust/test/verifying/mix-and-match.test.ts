import { expect, test } from 'vitest'
import {
  binNameOf,
  binNames,
  type SignedFile,
  signBin,
  signSnapshot,
  signTimestamp,
} from '../../src/signing/index.ts'
import { forge } from '../forge.ts'
import { measure } from '../signed-registry.ts'
import { createTrial, reasonOf } from '../trial.ts'

const PATH = 'sparse/tool/com.example.blinky.json'
const BIN = binNameOf(PATH, 2)
const OTHER_BIN = binNames(2).find((bin) => bin !== BIN) ?? ''

test('[A-272] a snapshot of one moment with a bin of an earlier one is refused', async () => {
  await using trial = await createTrial()
  await trial.registry.publish(PATH, 'one')
  const { bytes } = trial.registry.file(BIN)
  await trial.registry.publish(PATH, 'two')
  trial.server.replace(trial.registry.file(BIN).name, bytes)
  expect(await reasonOf(trial.client().find(PATH))).toBe('mix_and_match')
})

test('[A-272] a snapshot of one moment with a bin of a later one is refused', async () => {
  await using trial = await createTrial()
  await trial.registry.publish(PATH, 'one')
  const { name } = trial.registry.file(BIN)
  const snapshot = trial.registry.file('snapshot')
  const timestamp = trial.registry.file('timestamp')
  await trial.registry.publish(PATH, 'two')
  trial.server.replace(name, trial.registry.file(BIN).bytes)
  trial.server.replace(snapshot.name, snapshot.bytes)
  trial.server.replace(timestamp.name, timestamp.bytes)
  expect(await reasonOf(trial.client().find(PATH))).toBe('mix_and_match')
})

test('[A-272] a timestamp of one moment with a snapshot of another is refused', async () => {
  await using trial = await createTrial()
  const { bytes } = trial.registry.file('snapshot')
  await trial.registry.publish(PATH, 'one')
  trial.server.replace(trial.registry.file('snapshot').name, bytes)
  expect(await reasonOf(trial.client().refresh())).toBe('mix_and_match')
})

test('[A-272] a bin under the name of another bin is refused', async () => {
  await using trial = await createTrial()
  await trial.registry.publish(PATH, 'one')
  trial.server.replace(trial.registry.file(BIN).name, trial.registry.file(OTHER_BIN).bytes)
  expect(await reasonOf(trial.client().find(PATH))).toBe('mix_and_match')
})

test('[A-272] two bins of one version, signed by the same key, are told apart', async () => {
  await using trial = await createTrial()
  const { registry } = trial
  const issue = registry.issue(registry.onlineKey, BIN)
  const other = signBin({ ...issue, bits: 2, bin: BIN, changes: new Map([[PATH, measure('evil')]]) })
  await registry.publish(PATH, 'good')
  expect(other.name).toBe(registry.file(BIN).name)
  trial.server.replace(other.name, other.bytes)
  expect(await reasonOf(trial.client().find(PATH))).toBe('mix_and_match')
})

test('[A-272] a snapshot whose entry has another version than the bin is refused', async () => {
  await using trial = await createTrial()
  const { registry } = trial
  await registry.publish(PATH, 'one')
  const lie: SignedFile = { name: `9.${BIN}.json`, bytes: registry.file(BIN).bytes }
  const online = (role: string) => registry.issue(registry.onlineKey, role)
  const snapshot = signSnapshot({ ...online('snapshot'), changed: [lie] })
  await registry.plant('snapshot', snapshot)
  await registry.plant(BIN, lie)
  await registry.plant('timestamp', signTimestamp({ ...online('timestamp'), snapshot: snapshot.bytes }))
  expect(await reasonOf(trial.client().find(PATH))).toBe('mix_and_match')
})

test('[A-277] a file listed in a bin that it does not belong to is not found', async () => {
  await using trial = await createTrial()
  const { registry } = trial
  const entry = { length: 3, hashes: { sha256: measure('one').sha256 } }
  const bytes = forge(registry.file(OTHER_BIN).bytes, () => ({ version: 2, targets: { [PATH]: entry } }), [
    registry.onlineKey,
  ])
  const planted = { name: `2.${OTHER_BIN}.json`, bytes }
  await registry.plant(OTHER_BIN, planted)
  await registry.release([planted])
  const client = trial.client()
  expect(await client.find(PATH)).toBeUndefined()
  const neighbor =
    Array.from({ length: 99 }, (_, i) => `n${i}`).find((path) => binNameOf(path, 2) === OTHER_BIN) ?? ''
  expect(await client.find(neighbor)).toBeUndefined()
  expect(trial.server.requests).toContain(planted.name)
})
