import { array, assert, nat, option, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  chooseForInstall,
  chooseForUpdate,
  compareVersions,
  incompatibilities,
  type PackageVersion,
  type Target,
  VERSION_STATUSES,
  type VersionStatus,
  versionKey,
} from '../src/index.ts'
import { versionTexts } from './arbitraries.ts'

const versioned = record({ version: versionTexts, version_epoch: option(nat(3), { nil: 0 }) })

describe('order', () => {
  test('[A-120] numbers are compared as numbers, and missing ones are 0', () => {
    expect(versionKey({ version: '2.07' })).toEqual([0, 2, 7, 0])
    expect(compareVersions({ version: '1' }, { version: '1.0.0' })).toBe(0)
    expect(compareVersions({ version: '1.9' }, { version: '1.10' })).toBeLessThan(0)
    expect(compareVersions({ version: '2' }, { version: '1.9999.999999' })).toBeGreaterThan(0)
  })

  test('[A-120] a higher epoch is later, whatever the version', () => {
    expect(compareVersions({ version: '1', version_epoch: 1 }, { version: '2026.1' })).toBeGreaterThan(0)
    expect(compareVersions({ version: '1', version_epoch: 0 }, { version: '1' })).toBe(0)
  })

  test('[A-121] any two compare one way round, and a chain holds from end to end', () => {
    assert(
      property(versioned, versioned, versioned, (a, b, c) => {
        expect(compareVersions(a, a)).toBe(0)
        expect(compareVersions(a, b) + compareVersions(b, a)).toBe(0)
        const [low, middle, high] = [a, b, c].toSorted(compareVersions) as [typeof a, typeof b, typeof c]
        expect([compareVersions(low, middle), compareVersions(middle, high)].every((sign) => sign <= 0)).toBe(
          true,
        )
        expect(compareVersions(low, high)).toBeLessThanOrEqual(0)
      }),
    )
  })

  test('[A-121] sorting does not depend on where it starts', () => {
    assert(
      property(array(versioned), (versions) => {
        const keys = (list: typeof versions) => list.toSorted(compareVersions).map(versionKey)
        expect(keys(versions.toReversed())).toEqual(keys(versions))
      }),
    )
  })

  test.each([[''], ['v1'], ['1.0.0-rc1'], ['1.2.3.4'], ['1e3'], [' 1'], ['12345']])(
    '[A-122] %o is refused',
    (version) => expect(() => versionKey({ version })).toThrow(TypeError),
  )
})

const offer = (changes: Partial<PackageVersion> = {}): PackageVersion => ({
  version: '1.0',
  status: 'stable',
  tool_version: '8.0',
  ...changes,
})
const on = (changes: Partial<Target> = {}): Target => ({
  toolVersion: '8.0.4',
  platform: 'linux',
  ...changes,
})
const kinds = (changes: Partial<PackageVersion>, target: Target) =>
  incompatibilities('plugin', offer(changes), target).map(({ kind }) => kind)

describe('compatibility', () => {
  test.each([
    ['8', '8.0.0', []],
    ['8.0.1', '8.0', ['tool_too_old']],
    ['8.1', '8.0.99', ['tool_too_old']],
    ['9', '10', []],
  ])('[A-123] from %s on, in %s: %o', (tool_version, toolVersion, expected) => {
    expect(kinds({ tool_version }, on({ toolVersion }))).toEqual(expected)
  })

  test.each([
    ['8.0', '8.0.99', []],
    ['8.0', '8.99', ['tool_too_new']],
    ['8', '8.99.99', []],
    ['8.0.1', '8.0.1', []],
    ['8.0.1', '8.0.2', ['tool_too_new']],
  ])('[A-123] up to %s, in %s: %o', (tool_version_max, toolVersion, expected) => {
    expect(kinds({ tool_version: '7', tool_version_max }, on({ toolVersion }))).toEqual(expected)
  })

  test('[A-124] platforms limit, no platforms do not', () => {
    expect(kinds({}, on({ platform: 'macos' }))).toEqual([])
    expect(kinds({ platforms: ['linux', 'windows'] }, on({ platform: 'macos' }))).toEqual(['platform'])
    expect(kinds({ platforms: ['linux', 'windows'] }, on({ platform: 'windows' }))).toEqual([])
  })

  test('[A-125] a plugin needs its runtime, swig unless it says otherwise', () => {
    expect(kinds({}, on({ runtimes: ['ipc'] }))).toEqual(['runtime'])
    expect(kinds({ runtime: 'ipc' }, on({ runtimes: ['ipc'] }))).toEqual([])
    expect(kinds({ runtime: 'ipc' }, on({ runtimes: [] }))).toEqual(['runtime'])
    expect(incompatibilities('library', offer({ runtime: 'ipc' }), on({ runtimes: [] }))).toEqual([])
  })

  test.each([
    ['8', ['runtime']],
    ['8.98.99', ['runtime']],
    ['8.99', []],
    ['9.0', []],
  ])(
    '[A-500] C8: a plugin for ipc in tool %s, unless the caller names the runtimes: %o',
    (toolVersion, expected) => {
      const plugin = { tool_version: '6', runtime: 'ipc' } as const
      expect(kinds(plugin, on({ toolVersion }))).toEqual(expected)
      expect(kinds(plugin, on({ toolVersion, runtimes: ['ipc'] }))).toEqual([])
      expect(kinds({ tool_version: '6' }, on({ toolVersion }))).toEqual([])
      expect(incompatibilities('library', offer(plugin), on({ toolVersion }))).toEqual([])
    },
  )

  test('[A-123] every reason is told, in words', () => {
    const refused = offer({ tool_version: '9', platforms: ['macos'], runtime: 'ipc' })
    const messages = incompatibilities('plugin', refused, on({ runtimes: ['swig'] })).map(
      ({ message }) => message,
    )
    expect(messages).toEqual([
      'needs tool version 9 or newer, this is 8.0.4',
      'runs on macos, not on linux',
      'needs the runtime ipc, here is swig',
    ])
  })
})

describe('choice', () => {
  const pkg = (...versions: readonly PackageVersion[]) => ({ type: 'library' as const, versions })
  const installed = (version: string, status: VersionStatus = 'stable') => ({ version, status })

  test('[A-126] the highest compatible stable version is installed', () => {
    const wanted = offer({ version: '1.10' })
    const others = [
      offer({ version: '1.9' }),
      offer({ version: '2.0', status: 'testing' }),
      offer({ version: '3.0', tool_version: '9' }),
    ]
    expect(chooseForInstall(pkg(...others, wanted), on())).toBe(wanted)
  })

  test('[A-126] without a stable one the highest compatible, and of equal ones the first', () => {
    const wanted = offer({ version: '2.0', status: 'development' })
    const others = [
      offer({ version: '2.0.0', status: 'testing' }),
      offer({ version: '1.0', status: 'testing' }),
    ]
    expect(chooseForInstall(pkg(wanted, ...others), on())).toBe(wanted)
  })

  test('[A-126] R2: a deprecated version is chosen last', () => {
    const deprecated = offer({ version: '3.0', status: 'deprecated' })
    const wanted = offer({ version: '1.0', status: 'development' })
    expect(chooseForInstall(pkg(deprecated, wanted), on())).toBe(wanted)
    expect(chooseForInstall(pkg(deprecated), on())).toBe(deprecated)
  })

  test('[A-126] an epoch beats a version', () => {
    const wanted = offer({ version: '1.0', version_epoch: 1 })
    expect(chooseForInstall(pkg(offer({ version: '20' }), wanted), on())).toBe(wanted)
  })

  test('[A-127] an update goes up, and never to something less settled', () => {
    const stable = offer({ version: '1.5' })
    const testing = offer({ version: '2.0', status: 'testing' })
    const versions = pkg(
      offer({ version: '1.0' }),
      stable,
      testing,
      offer({ version: '9', status: 'deprecated' }),
    )
    expect(chooseForUpdate(versions, installed('1.0'), on())).toBe(stable)
    expect(chooseForUpdate(versions, installed('1.0', 'testing'), on())).toBe(testing)
    expect(chooseForUpdate(versions, installed('1.0', 'development'), on())).toBe(testing)
    expect(chooseForUpdate(versions, installed('1.5.0'), on())).toBeUndefined()
  })

  test('[A-127] R2: an update never goes to a deprecated version, and leaves one for the most settled', () => {
    const deprecated = offer({ version: '9', status: 'deprecated' })
    const testing = offer({ version: '3', status: 'testing' })
    const stable = offer({ version: '2' })
    for (const status of VERSION_STATUSES)
      expect(chooseForUpdate(pkg(deprecated), installed('1', status), on())).toBeUndefined()
    expect(chooseForUpdate(pkg(deprecated, testing, stable), installed('1', 'deprecated'), on())).toBe(stable)
    expect(chooseForUpdate(pkg(deprecated, testing), installed('1', 'deprecated'), on())).toBe(testing)
  })

  test('[A-127] what does not run here is no update', () => {
    expect(
      chooseForUpdate(pkg(offer({ version: '2', platforms: ['macos'] })), installed('1'), on()),
    ).toBeUndefined()
  })

  test('[A-128] a package without versions offers nothing', () => {
    expect(chooseForInstall(pkg(), on())).toBeUndefined()
    expect(chooseForUpdate(pkg(), installed('1'), on())).toBeUndefined()
  })
})
