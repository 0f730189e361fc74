import { CRLF_REPOSITORY, LATE_TIMES } from '@patchbay/testkit/sample-repositories'
import { describe, expect, test } from 'vitest'
import { type Repository, readDialect, writeDialect } from '../src/index.ts'
import { diagnoseHash, validateText } from '../src/validate/index.ts'
import { examplePackage, exampleVersion } from './examples.ts'
import {
  archiveMetadata,
  hasRealData,
  madeUpRepositories,
  type Repositories,
  realRepositories,
  unlessSkipped,
} from './real-data.ts'

interface Expected {
  /** Repositories, packages and versions. */
  readonly counts: readonly [number, number, number]
  /** Which times are not those of their timestamps, and by how much. */
  readonly late: readonly (readonly [name: string, pointer: string, ahead: string])[]
  /** The file whose hash is that of other line ends. */
  readonly crlf: string
  readonly hashes: number
}

const BRAND = { brand: 'kicad' }

/** One suite for those that are made up here, with what strangers do, and for those of strangers. */
function repositoriesContract({ names, has, read }: Repositories, expected: Expected): void {
  const text = (name: string, file: string) => Buffer.from(read(name, file)).toString()

  test('[A-173] all packages and versions are read', () => {
    const lists = names.map((name) => validateText(text(name, 'packages.json'), BRAND))
    const packages = lists.flatMap((report) => report.packages)
    const versions = packages.flatMap(({ value }) => value?.versions ?? [])
    expect([lists.length, packages.length, versions.length]).toEqual(expected.counts)
  })

  test.each(names)('[A-173] %s is valid in both URL modes', (name) => {
    const documents = [text(name, 'packages.json'), text(name, 'repository.json')]
    const reports = (['strict', 'compat'] as const).flatMap((urls) =>
      documents.map((document) => validateText(document, { ...BRAND, urls })),
    )
    expect(reports.map(({ kind, isValid }) => [kind, isValid])).toEqual([
      ['package-array', true],
      ['repository', true],
      ['package-array', true],
      ['repository', true],
    ])
  })

  test.each(names)('[A-173] %s, read and written back, is the same document', (name) => {
    const document = text(name, 'packages.json')
    const { packages } = validateText(document, BRAND)
    const written = writeDialect({ packages: packages.map(({ value }) => value) }, 'kicad')
    const original = JSON.parse(document) as { readonly packages: readonly unknown[] }
    expect(JSON.stringify(written)).toBe(JSON.stringify({ packages: original.packages }))
    expect(JSON.stringify(writeDialect(readDialect(original, 'kicad'), 'kicad'))).toBe(
      JSON.stringify(original),
    )
  })

  test('[A-174] times in another zone are told, with the amount', () => {
    const late = names.flatMap((name) =>
      validateText(text(name, 'repository.json'), BRAND).findings.map(
        ({ pointer, message }) => [name, pointer, /is (.*?) ahead/.exec(message)?.[1]] as const,
      ),
    )
    expect(late).toEqual(expected.late)
  })

  test('[A-174] one has a hash that matches when line ends are CRLF; all others that have one match', async () => {
    const files = names.flatMap((name) =>
      (['packages.json', 'resources.zip'] as const).flatMap((file) => {
        const index = JSON.parse(text(name, 'repository.json')) as Repository
        const hash = index[file === 'packages.json' ? 'packages' : 'resources']?.sha256
        return hash === undefined || !has(name, file) ? [] : [{ name, file, hash }]
      }),
    )
    const diagnoses = await Promise.all(
      files.map(async ({ name, file, hash }) => {
        const { diagnosis } = await diagnoseHash(read(name, file), hash)
        return `${name}/${file}: ${diagnosis}`
      }),
    )
    expect(diagnoses.filter((line) => !line.endsWith(': match'))).toEqual([`${expected.crlf}: crlf`])
    expect(diagnoses).toHaveLength(expected.hashes)
  })
}

describe('repositories with the oddities of public ones', () => {
  repositoriesContract(madeUpRepositories, {
    counts: [6, 9, 10],
    late: LATE_TIMES,
    crlf: `${CRLF_REPOSITORY}/packages.json`,
    hashes: 7,
  })

  test('[A-173] the metadata of an archive, without downloads, is a valid package', () => {
    const metadata = writeDialect(
      examplePackage({
        $schema: 'https://go.kicad.org/pcm/schemas/v1',
        'x-unknown': { more: [1] },
        versions: [exampleVersion({ runtime: 'ipc', platforms: ['linux'] })],
      }),
      'kicad',
    )
    const report = validateText(JSON.stringify(metadata), BRAND)
    expect(report).toMatchObject({ kind: 'package', isValid: true, packages: [{ findings: [] }] })
  })
})

describe.skipIf(!hasRealData)(`real repositories${unlessSkipped}`, () => {
  repositoriesContract(realRepositories, {
    counts: [12, 98, 506],
    late: [
      ['0xCB-dev_0xCB-PCM', '/resources/update_time_utc', '59 min 57 s'],
      ['Bouni_bouni-kicad-repository', '/resources/update_time_utc', '1 h'],
      ['CDFER_cd_fer-kicad-repository', '/resources/update_time_utc', '13 h'],
      ['g200kg_kicad-pcm-repository', '/packages/update_time_utc', '9 h'],
      ['g200kg_kicad-pcm-repository', '/resources/update_time_utc', '9 h'],
      ['harry10086_kicad-repository', '/packages/update_time_utc', '8 h'],
      ['thanhduongvs_kicad-repository', '/packages/update_time_utc', '7 h'],
      ['thanhduongvs_kicad-repository', '/resources/update_time_utc', '7 h'],
    ],
    crlf: 'partreel/packages.json',
    hashes: 17,
  })

  test.each(archiveMetadata())('[A-173] the metadata of an archive is a valid package: %s', (_name, text) => {
    const report = validateText(text, BRAND)
    expect(report).toMatchObject({ kind: 'package', isValid: true, packages: [{ findings: [] }] })
  })
})
