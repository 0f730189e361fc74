import { Timestamp } from '@tufjs/models'
import {
  encodeDocument,
  headOf,
  type Issue,
  measureBytes,
  readDocument,
  type SignedFile,
  signPart,
  versionOf,
} from './document.ts'

export interface TimestampIssue extends Issue {
  readonly snapshot: Uint8Array
}

export function signTimestamp({ snapshot, ...issue }: TimestampIssue): SignedFile {
  const version = versionOf(readDocument(snapshot, 'snapshot'))
  const { length, sha256 } = measureBytes(snapshot)
  const meta = { 'snapshot.json': { hashes: { sha256 }, length, version } }
  return encodeDocument(
    'timestamp.json',
    signPart(Timestamp.fromJSON({ ...headOf('timestamp', issue), meta }), issue.keys),
  )
}
