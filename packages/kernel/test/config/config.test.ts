import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  boolean,
  ConfigError,
  choice,
  configReference,
  defineConfig,
  integer,
  list,
  optional,
  port,
  readConfig,
  required,
  secretUrl,
  text,
  url,
  withDefault,
} from '../../src/config/index.ts'

const sample = defineConfig({
  process: 'sample',
  settings: {
    port: withDefault({ variable: 'PATCHBAY_PORT', meaning: 'Where it listens.' }, port, 8790),
    database: required(
      { variable: 'DATABASE_URL', meaning: 'The database.' },
      secretUrl(['postgres', 'postgresql']),
    ),
    level: withDefault(
      { variable: 'PATCHBAY_LOG_LEVEL', meaning: 'How much is logged.' },
      choice(['info', 'debug']),
      'info',
    ),
    hosts: withDefault({ variable: 'PATCHBAY_HOSTS', meaning: 'Host names.' }, list(text), []),
    site: optional({ variable: 'PATCHBAY_SITE', meaning: 'Public address.' }, url(['https'])),
    eager: withDefault({ variable: 'PATCHBAY_EAGER', meaning: 'Eagerness.' }, boolean, false),
    workers: withDefault(
      { variable: 'PATCHBAY_WORKERS', meaning: 'Workers.' },
      integer({ min: 1, max: 8 }),
      2,
    ),
  },
  conditions: ({ eager, workers }) =>
    eager && workers === 1 ? [{ variable: 'PATCHBAY_WORKERS', wrong: 'must be 2 or more when eager' }] : [],
})

const DATABASE_URL = 'postgres://u:hunter2@127.0.0.1/x'

function faultsOf(environment: Record<string, string>): ConfigError {
  try {
    readConfig(sample, environment)
  } catch (error) {
    if (error instanceof ConfigError) return error
  }
  throw new Error('no ConfigError')
}

test('[K-101] every fault comes at once, with variable, cause and meaning', () => {
  const error = faultsOf({ PATCHBAY_PORT: '99999', PATCHBAY_LOG_LEVEL: 'loud', PATCHBAY_EAGER: 'yes' })
  expect(error.faults.map((fault) => fault.variable).toSorted()).toEqual([
    'DATABASE_URL',
    'PATCHBAY_EAGER',
    'PATCHBAY_LOG_LEVEL',
    'PATCHBAY_PORT',
  ])
  expect(error.message).toMatch(/4 faults/)
  expect(error.message).toMatch(/PATCHBAY_PORT: 99999 is not between 0 and 65535\n\s+Where it listens\./)
})

test('[K-102] defaults stand in for unset and empty variables, and the result is frozen', () => {
  const config = readConfig(sample, { DATABASE_URL, PATCHBAY_PORT: ' ', PATCHBAY_HOSTS: 'a, b,' })
  expect(config).toMatchObject({ port: 8790, hosts: ['a', 'b'], site: undefined, workers: 2 })
  expect(Object.isFrozen(config) && Object.isFrozen(config.hosts)).toBe(true)
})

test('[K-103] a misspelled variable is a fault with the nearest name', () => {
  const error = faultsOf({ DATABASE_URL, PATCHBAY_PROT: '1' })
  expect(error.faults).toEqual([
    { variable: 'PATCHBAY_PROT', wrong: 'is not a setting; did you mean PATCHBAY_PORT?' },
  ])
})

test('[K-103] variables of other processes and of other programs are left alone', () => {
  const environment = { DATABASE_URL, PATCHBAY_GATEWAY_MODE: 'confirm', HOME: '/root' }
  expect(readConfig(sample, environment, ['PATCHBAY_GATEWAY_MODE']).port).toBe(8790)
})

test('[K-104] a secret shows nowhere, valid or not', () => {
  const config = readConfig(sample, { DATABASE_URL })
  expect(JSON.stringify(config)).not.toContain('hunter2')
  expect(String(config.database)).toBe('[secret]')
  expect(config.database.reveal()).toBe(DATABASE_URL)
  expect(faultsOf({ DATABASE_URL: 'mysql://u:hunter2@x/' }).message).not.toContain('hunter2')
})

describe('[K-108] a secret from a file', () => {
  let folder: string
  const fileWith = async (content: string) => {
    const path = join(folder, randomUUID())
    await writeFile(path, content)
    return path
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'patchbay-config-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('is the text of the file, without the line end that editors add', async () => {
    const config = readConfig(sample, {
      DATABASE_URL_FILE: await fileWith(`${DATABASE_URL}\n`),
      DATABASE_URL: '',
    })
    expect(config.database.reveal()).toBe(DATABASE_URL)
  })

  test('may be named for another process that shares the environment', () => {
    expect(sample.variables).toContain('DATABASE_URL_FILE')
    expect(sample.variables).not.toContain('PATCHBAY_PORT_FILE')
    const faults = faultsOf({ DATABASE_URL, PATCHBAY_PORT_FILE: '/x' }).message
    expect(faults).toContain('PATCHBAY_PORT_FILE: is not a setting')
  })

  test.each([
    ['there is none', async () => join(folder, 'nowhere'), /nowhere cannot be read: ENOENT/],
    ['it is a folder', async () => folder, /cannot be read: EISDIR/],
    ['it is empty', () => fileWith(' \n'), /is empty/],
    ['it is endless', () => fileWith(`hunter2${'x'.repeat(65_536)}`), /longer than 65536 bytes/],
    ['it holds no such value', () => fileWith('mysql://u:hunter2@x/'), /not a URL that starts with/],
  ])('is refused when %s, and shown nowhere', async (_case, path, wrong) => {
    const { faults, message } = faultsOf({ DATABASE_URL_FILE: await path() })
    expect(faults).toMatchObject([{ variable: 'DATABASE_URL', wrong: expect.stringMatching(wrong) }])
    expect(message).not.toContain('hunter2')
  })

  test('is refused beside the value itself', async () => {
    const { message } = faultsOf({ DATABASE_URL, DATABASE_URL_FILE: await fileWith(DATABASE_URL) })
    expect(message).toContain('DATABASE_URL: is set, and so is DATABASE_URL_FILE; only one of them can be')
    expect(message).not.toContain('hunter2')
  })
})

test('[K-105] conditions across settings join the list once each setting is valid', () => {
  const error = faultsOf({ DATABASE_URL, PATCHBAY_EAGER: 'true', PATCHBAY_WORKERS: '1' })
  expect(error.faults).toEqual([{ variable: 'PATCHBAY_WORKERS', wrong: 'must be 2 or more when eager' }])
})

test('[K-106] the reference lists every variable with what it accepts, its default and its meaning', () => {
  const reference = configReference([sample])
  expect(reference).toContain(
    '| `PATCHBAY_PORT` | port (0 lets the system choose) | `8790` | Where it listens. |',
  )
  expect(reference).toContain(
    '| `DATABASE_URL` | URL (`postgres://`, `postgresql://`), kept secret | **required** | The database. |',
  )
})

describe('[K-107] each kind refuses what it does not accept', () => {
  test.each([
    ['PATCHBAY_WORKERS', '1.5', /not a whole number/],
    ['PATCHBAY_WORKERS', '1e1', /not a whole number/],
    ['PATCHBAY_WORKERS', '9', /between 1 and 8/],
    ['PATCHBAY_SITE', 'http://x', /starts with https/],
    ['PATCHBAY_SITE', 'https://', /starts with https/],
    ['PATCHBAY_SITE', 'https://u:p@x', /must not carry a user name/],
    ['PATCHBAY_EAGER', '1', /neither true nor false/],
    ['PATCHBAY_LOG_LEVEL', 'INFO', /none of info, debug/],
  ])('%s=%s', (variable, value, wrong) => {
    expect(faultsOf({ DATABASE_URL, [variable]: value }).faults).toMatchObject([
      { variable, wrong: expect.stringMatching(wrong) },
    ])
  })

  test('a public address loses its trailing slashes', () => {
    expect(readConfig(sample, { DATABASE_URL, PATCHBAY_SITE: 'https://x.example/' }).site).toBe(
      'https://x.example',
    )
  })
})
