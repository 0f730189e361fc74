import { expect, test } from 'vitest'
import { createRoot, createSigningKey, publicKeyOf, signTimestamp } from '../../src/signing/index.ts'
import { forge, parse, tamper } from '../forge.ts'
import { createTrial, reasonOf, type Trial } from '../trial.ts'

const PATH = 'feeds/tool/repository.json'

/** A root that asks for two signatures of targets and of the online role. */
function createStrictRoot(
  { registry }: Trial,
  online: readonly string[],
  targets: readonly string[],
): Uint8Array {
  const holders = (pems: readonly string[]) => ({ keys: pems.map(publicKeyOf), threshold: pems.length })
  const roles = { root: holders([registry.rootKey]), online: holders(online), targets: holders(targets) }
  return createRoot({ ...registry.issue(registry.rootKey), roles }).bytes
}

test('[A-273] a timestamp that a stranger signed is refused', async () => {
  await using trial = await createTrial()
  const { registry } = trial
  const issue = {
    ...registry.issue(createSigningKey(), 'timestamp'),
    snapshot: registry.file('snapshot').bytes,
  }
  await registry.plant('timestamp', signTimestamp(issue))
  expect(await reasonOf(trial.client().refresh())).toBe('bad_signature')
})

test('[A-273] one signature where two are asked for is refused, be it the timestamp or the list of targets', async () => {
  await using trial = await createTrial()
  const { onlineKey, targetsKey } = trial.registry
  const online = createStrictRoot(trial, [onlineKey, createSigningKey()], [targetsKey])
  expect(await reasonOf(trial.client({ root: online }).refresh())).toBe('bad_signature')
  const targets = createStrictRoot(trial, [onlineKey], [targetsKey, createSigningKey()])
  expect(await reasonOf(trial.client({ root: targets }).refresh())).toBe('bad_signature')
  expect(
    await reasonOf(trial.client({ root: createStrictRoot(trial, [onlineKey], [targetsKey]) }).refresh()),
  ).toBe('trusted')
})

test('[A-273] the same signature under a second name does not count twice', async () => {
  await using trial = await createTrial()
  const { registry } = trial
  const second = createSigningKey()
  const root = createStrictRoot(trial, [registry.onlineKey, second], [registry.targetsKey])
  const copied = tamper(registry.file('timestamp').bytes, ({ signed, signatures }) => ({
    signed,
    signatures: [...signatures, { ...signatures[0], keyid: publicKeyOf(second).id }],
  }))
  trial.server.replace('timestamp.json', copied)
  expect(await reasonOf(trial.client({ root }).refresh())).toBe('bad_signature')
})

test('[A-273] a document that was changed after signing, or has no signature, is refused', async () => {
  await using trial = await createTrial()
  const { bytes } = trial.registry.file('timestamp')
  trial.server.replace(
    'timestamp.json',
    tamper(bytes, ({ signed, signatures }) => ({
      signatures,
      signed: { ...signed, expires: '2999-01-01T00:00:00Z' },
    })),
  )
  expect(await reasonOf(trial.client().refresh())).toBe('bad_signature')
  trial.server.replace(
    'timestamp.json',
    tamper(bytes, ({ signed }) => ({ signatures: [], signed })),
  )
  expect(await reasonOf(trial.client().refresh())).toBe('bad_signature')
})

test('[A-273] the online key cannot sign a list of targets, nor the targets key a bin', async () => {
  await using trial = await createTrial()
  const { registry } = trial
  const version = parse(registry.file('targets').bytes).signed.version + 1
  const targets = forge(registry.file('targets').bytes, () => ({ version }), [registry.onlineKey])
  const planted = { name: `${version}.targets.json`, bytes: targets }
  await registry.plant('targets', planted)
  await registry.release([planted])
  expect(await reasonOf(trial.client().refresh())).toBe('bad_signature')

  await using second = await createTrial()
  const bins = [...second.registry.state].filter(([role]) => role.startsWith('bin-'))
  const resigned = bins.map(([role, file]) => {
    const bytes = forge(file.bytes, () => ({ version: 2 }), [second.registry.targetsKey])
    return { role, file: { name: `2.${role}.json`, bytes } }
  })
  for (const { role, file } of resigned) await second.registry.plant(role, file)
  await second.registry.release(resigned.map(({ file }) => file))
  expect(await reasonOf(second.client().find(PATH))).toBe('bad_signature')
})

test('[A-273] signatures of strangers beside a good one change nothing', async () => {
  await using trial = await createTrial()
  const { registry } = trial
  const strangers = [createSigningKey(), createSigningKey()]
  const bytes = forge(registry.file('timestamp').bytes, () => ({ version: 2 }), [
    ...strangers,
    registry.onlineKey,
  ])
  await registry.plant('timestamp', { name: 'timestamp.json', bytes })
  expect(parse(bytes).signatures).toHaveLength(3)
  expect(await reasonOf(trial.client().refresh())).toBe('trusted')
})
