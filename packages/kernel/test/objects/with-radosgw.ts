import type { S3Client } from '@aws-sdk/client-s3'
import { missingForRadosgw, type Radosgw, startRadosgw } from '@patchbay/testkit/radosgw'
import { afterAll, beforeAll, describe } from 'vitest'
import { createBucket } from './open-s3.ts'

export interface Started {
  readonly radosgw: Radosgw
  readonly client: S3Client
}

/** A suite on a real Ceph gateway, started once for the file; where there is none, it says so instead of passing. */
export function describeWithRadosgw(name: string, suite: (started: () => Started) => void): void {
  const missing = missingForRadosgw()
  if (missing.length > 0) {
    // oxlint-disable-next-line no-console -- a skipped suite must be seen by whoever reads the output
    console.warn(`SKIPPED: ${name}: not installed here: ${missing.join(', ')}`)
  }
  const skipped = missing.length > 0 ? ` (SKIPPED: ${missing.join(', ')} not installed)` : ''
  describe.skipIf(missing.length > 0)(`${name}${skipped}`, () => {
    let current: Started | undefined
    const started = () => {
      if (current === undefined) throw new Error('radosgw has not been started')
      return current
    }
    beforeAll(async () => {
      const radosgw = await startRadosgw()
      current = { radosgw, client: await createBucket(radosgw) }
    })
    afterAll(async () => {
      current?.client.destroy()
      await current?.radosgw[Symbol.asyncDispose]()
    })
    suite(started)
  })
}
