import { expect, test } from 'vitest'
import { InstallFailure, RepositoryFailure } from '../../src/index.ts'
import { RepositoryBuildRefused, verifyLive } from '../../src/repository/index.ts'
import { FAST, samplePackage, sha256, startBench } from './sample.ts'

const EVIL = 'evil\u001b[2J\u001b]0;owned\u0007\r\n\u009b1m\u202egnp\u2028\ud800'
// What a terminal or a page would act on.
const ACTED_ON = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u

test('[A-348] the name of a repository, and every text of a report about it, is plain', async () => {
  await using bench = await startBench()
  const { origin } = bench.server
  const manifests = JSON.stringify({ manifests: { [EVIL]: { 1: { url: `${origin}/none` } } } })
  const list = JSON.stringify({ packages: [samplePackage('com.example.a', { [EVIL]: 1, license: EVIL })] })
  bench.server.serve('/manifests.json', manifests)
  bench.server.serve('/packages.json', list)
  const resource = (name: string, text: string) => ({
    url: `${origin}/${name}`,
    update_timestamp: 1,
    sha256: sha256(text),
  })
  bench.server.serve(
    '/repository.json',
    JSON.stringify({
      name: EVIL,
      packages: resource('packages.json', list),
      manifests: resource('manifests.json', manifests),
    }),
  )
  const snapshot = await bench.open().refresh()
  expect(snapshot.name).toMatch(/^evil\\u\{1b\}/)
  const { name, summary, findings } = await verifyLive(`${origin}/repository.json`, { limits: FAST })
  expect(findings.length).toBeGreaterThan(1)
  const texts = [snapshot.name, name ?? '', ...findings.flatMap(({ subject, message }) => [subject, message])]
  expect([...texts, ...summary.split('\n')].filter((text) => ACTED_ON.test(text))).toEqual([])
})

test('[A-348] so is every failure, whatever a server said', () => {
  const failures = [
    new RepositoryFailure('malformed', EVIL, { url: `http://x/${EVIL}` }),
    new InstallFailure('incompatible', EVIL),
    new RepositoryBuildRefused([{ code: 'x', source: EVIL, message: EVIL, findings: [] }]),
  ]
  const lines = failures.flatMap(({ message }) => message.split('\n'))
  expect(lines.filter((line) => ACTED_ON.test(line))).toEqual([])
})
