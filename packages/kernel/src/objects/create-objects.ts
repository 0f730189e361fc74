import type { Secret } from '../log/index.ts'
import { createFileObjects } from './file.store.ts'
import { parseObjectsUrl } from './location.ts'
import type { ObjectStore } from './ports.ts'
import { createS3Objects } from './s3.store.ts'

export interface ObjectsConfig {
  /** `file:///path`, or `s3://bucket/prefix?endpoint=…&region=…&path_style=true`. */
  readonly url: string
  /** The rest is for S3 only, and needed there. */
  readonly accessKeyId?: string
  readonly secretAccessKey?: Secret
  readonly spoolDir?: string
}

export async function createObjects({ url, ...config }: ObjectsConfig): Promise<ObjectStore> {
  const location = parseObjectsUrl(url)
  if (location.kind === 'file') return createFileObjects(location)
  const { accessKeyId, secretAccessKey, spoolDir } = config
  if (accessKeyId === undefined || secretAccessKey === undefined || spoolDir === undefined)
    throw new TypeError('objects in S3 need an access key id, a secret access key and a spool folder')
  return createS3Objects({ ...location, accessKeyId, secretAccessKey, spoolDir })
}
