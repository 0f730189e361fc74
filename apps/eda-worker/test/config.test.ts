import { ConfigError, readConfig } from '@patchbay/kernel/config'
import { expect, test } from 'vitest'
import { workerConfig } from '../src/index.ts'

const DATABASE_URL = 'postgres://127.0.0.1/patchbay'

test('[H-43] a worker is told where the database is, and little else', () => {
  expect(readConfig(workerConfig, { DATABASE_URL })).toMatchObject({
    kicad: '/usr/bin/kicad-cli',
    jobs: 1,
    jobSeconds: 300,
    memoryMib: 4_096,
    leaseSeconds: 20,
  })
  expect(() => readConfig(workerConfig, {})).toThrow(ConfigError)
})

test('[H-43] a KiCad that the sandbox does not see, and a bucket without keys, are faults', () => {
  const faulty = [
    { PATCHBAY_WORKER_KICAD: '/opt/kicad/bin/kicad-cli' },
    { PATCHBAY_OBJECTS_URL: 's3://bucket?endpoint=http://127.0.0.1:1&region=a' },
    { PATCHBAY_WORKER_JOBS: '0' },
  ]
  for (const environment of faulty)
    expect(() => readConfig(workerConfig, { DATABASE_URL, ...environment })).toThrow(ConfigError)
})
