import { describe, expect, test } from 'vitest'
import { readDialect, type Repository, writeDialect } from '../src/index.ts'
import { diagnoseHash, validateText } from '../src/validate/index.ts'
import {
  archiveMetadataNames,
  hasRealData,
  hasRealFile,
  realFile,
  repositoryNames,
  unlessSkipped,
} from './real-data.ts'

const text = (...path: readonly string[]) => realFile(...path).toString()
const repositoryOf = (name: string) => JSON.parse(text(name, 'repository.json')) as Repository

describe.skipIf(!hasRealData)(`real repositories${unlessSkipped}`, () => {
  test('[A-173] there are twelve, with 98 packages and 506 versions', () => {
    const lists = repositoryNames().map((name) =>
      validateText(text(name, 'packages.json'), { brand: 'kicad' }),
    )
    const packages = lists.flatMap((report) => report.packages)
    const versions = packages.flatMap(({ value }) => value?.versions ?? [])
    expect([lists.length, packages.length, versions.length]).toEqual([12, 98, 506])
  })

  test.each(repositoryNames())('[A-173] %s is valid in both URL modes', (name) => {
    const documents = [text(name, 'packages.json'), text(name, 'repository.json')]
    const reports = (['strict', 'compat'] as const).flatMap((urls) =>
      documents.map((document) => validateText(document, { brand: 'kicad', urls })),
    )
    expect(reports.map(({ kind, isValid }) => [kind, isValid])).toEqual([
      ['package-array', true],
      ['repository', true],
      ['package-array', true],
      ['repository', true],
    ])
  })

  test.each(repositoryNames())('[A-173] %s, read and written back, is the same document', (name) => {
    const document = text(name, 'packages.json')
    const { packages } = validateText(document, { brand: 'kicad' })
    const written = writeDialect({ packages: packages.map(({ value }) => value) }, 'kicad')
    const original = JSON.parse(document) as { readonly packages: readonly unknown[] }
    expect(JSON.stringify(written)).toBe(JSON.stringify({ packages: original.packages }))
    expect(JSON.stringify(writeDialect(readDialect(original, 'kicad'), 'kicad'))).toBe(
      JSON.stringify(original),
    )
  })

  test.each(archiveMetadataNames())('[A-173] the metadata of an archive is a valid package: %s', (name) => {
    const report = validateText(text('archive-metadata', name), { brand: 'kicad' })
    expect(report).toMatchObject({ kind: 'package', isValid: true, packages: [{ findings: [] }] })
  })

  test('[A-174] six have times in another zone, by these amounts', () => {
    const wrong = repositoryNames().flatMap((name) =>
      validateText(text(name, 'repository.json'), { brand: 'kicad' }).findings.map(
        ({ pointer, message }) => [name, pointer, /is (.*?) ahead/.exec(message)?.[1]] as const,
      ),
    )
    expect(wrong).toEqual([
      ['0xCB-dev_0xCB-PCM', '/resources/update_time_utc', '59 min 57 s'],
      ['Bouni_bouni-kicad-repository', '/resources/update_time_utc', '1 h'],
      ['CDFER_cd_fer-kicad-repository', '/resources/update_time_utc', '13 h'],
      ['g200kg_kicad-pcm-repository', '/packages/update_time_utc', '9 h'],
      ['g200kg_kicad-pcm-repository', '/resources/update_time_utc', '9 h'],
      ['harry10086_kicad-repository', '/packages/update_time_utc', '8 h'],
      ['thanhduongvs_kicad-repository', '/packages/update_time_utc', '7 h'],
      ['thanhduongvs_kicad-repository', '/resources/update_time_utc', '7 h'],
    ])
  })

  test('[A-174] one has a hash that matches when line ends are CRLF; all others that have one match', async () => {
    const files = repositoryNames().flatMap((name) =>
      (['packages.json', 'resources.zip'] as const).flatMap((file) => {
        const expected = repositoryOf(name)[file === 'packages.json' ? 'packages' : 'resources']?.sha256
        return expected === undefined || !hasRealFile(name, file) ? [] : [{ name, file, expected }]
      }),
    )
    const diagnoses = await Promise.all(
      files.map(async ({ name, file, expected }) => {
        const { diagnosis } = await diagnoseHash(realFile(name, file), expected)
        return `${name}/${file}: ${diagnosis}`
      }),
    )
    expect(diagnoses.filter((line) => !line.endsWith(': match'))).toEqual(['partreel/packages.json: crlf'])
    expect(diagnoses.length).toBeGreaterThan(15)
  })
})
