import { Timestamp } from '@tufjs/models'
import {
  encodeDocument,
  headOf,
  type Issue,
  type IssuedFile,
  measureBytes,
  readDocument,
  signPart,
  versionOf,
} from './document.ts'

export interface TimestampIssue extends Issue {
  readonly snapshot: Uint8Array
}

export function signTimestamp({ snapshot, ...issue }: TimestampIssue): IssuedFile {
  const version = versionOf(readDocument(snapshot, 'snapshot'))
  const { length, sha256 } = measureBytes(snapshot)
  const meta = { 'snapshot.json': { hashes: { sha256 }, length, version } }
  return encodeDocument(
    'timestamp.json',
    signPart(Timestamp.fromJSON({ ...headOf('timestamp', issue), meta }), issue),
  )
}
