import type * as S3 from '@aws-sdk/client-s3'
import type { Secret } from '../log/index.ts'

export interface S3Connection {
  /** Absent for AWS itself. */
  readonly endpoint?: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: Secret
  /** The bucket in the path, not in the host name: most stores outside AWS need it. */
  readonly forcePathStyle: boolean
}

const MAX_ATTEMPTS = 3
/** Requests beyond these wait for a socket until the connection deadline refuses them. */
const MAX_SOCKETS = 512

/** Loaded on demand: an installation that keeps its objects in files does not pay for the S3 client. */
export const loadSdk = (): Promise<Sdk> => import('@aws-sdk/client-s3')

/** The same, where an operator lets the bucket send objects. */
export const loadSigner = () => import('@aws-sdk/s3-request-presigner')

export type Sdk = typeof S3

export function createClient({ S3Client }: Sdk, connection: S3Connection, deadlineMs: number): S3.S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey, forcePathStyle } = connection
  const agent = { maxSockets: MAX_SOCKETS }
  return new S3Client({
    ...(endpoint === undefined ? {} : { endpoint }),
    region,
    forcePathStyle,
    credentials: { accessKeyId, secretAccessKey: secretAccessKey.reveal() },
    // The default adds trailing checksums that other stores than AWS refuse; the hash in the name is the stronger check.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would open a connection for each upload. Wrong credentials are found by the HEAD before.
    expectContinueHeader: false,
    retryMode: 'standard',
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: Math.ceil(deadlineMs / 4),
      // Two attempts fit into the deadline, so that one hanging gateway behind a balancer is survived.
      requestTimeout: Math.ceil(deadlineMs / 2.5),
      throwOnRequestTimeout: true,
      // It cannot tell a slow reader from a dead store; `verified` can.
      socketTimeout: 0,
      httpAgent: agent,
      httpsAgent: agent,
    },
    logger: SILENT,
  })
}

/** Without it the client writes warnings to the console, past our log. */
const SILENT = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }
