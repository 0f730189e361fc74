import { createPrivateKey, sign } from 'node:crypto'
import { Metadata, MetadataKind, Root, Signature, Snapshot, Targets, Timestamp } from '@tufjs/models'
import { publicKeyOf } from '../src/signing/index.ts'

type Json = Parameters<typeof Root.fromJSON>[0]
type Kind = 'root' | 'snapshot' | 'targets' | 'timestamp'

/** What whoever holds the keys could sign, also where our library would refuse. */
export function forge(bytes: Uint8Array, changes: (signed: Json) => Json, keys: readonly string[]): Buffer {
  const { signed } = parse(bytes)
  const metadata = new Metadata(partOf({ ...signed, ...changes(signed) }))
  for (const pem of keys) {
    const keyID = publicKeyOf(pem).id
    metadata.sign(
      (data) => new Signature({ keyID, sig: sign(undefined, data, createPrivateKey(pem)).toString('hex') }),
    )
  }
  return Buffer.from(JSON.stringify(metadata.toJSON()))
}

/** Changes a document without signing it again. */
export function tamper(bytes: Uint8Array, changes: (document: ReturnType<typeof parse>) => unknown): Buffer {
  return Buffer.from(JSON.stringify(changes(parse(bytes))))
}

export function parse(bytes: Uint8Array): {
  signed: Json & { _type: Kind; version: number }
  signatures: Json[]
} {
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as never
}

function partOf(json: Json & { _type?: unknown }): Root | Snapshot | Targets | Timestamp {
  if (json._type === MetadataKind.Root) return Root.fromJSON(json)
  if (json._type === MetadataKind.Snapshot) return Snapshot.fromJSON(json)
  return json._type === MetadataKind.Timestamp ? Timestamp.fromJSON(json) : Targets.fromJSON(json)
}
