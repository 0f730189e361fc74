import { BIN_PREFIX, checkBits } from './bin-name.ts'
import {
  encodeDocument,
  type FileInfo,
  headOf,
  type Issue,
  type JsonObject,
  type SignedFile,
  signPart,
} from './document.ts'
import { describeKey } from './keys.ts'
import { PlainTargets } from './plain-parts.ts'
import { checkHolders, type KeyHolders, spellRole } from './root.ts'
import { spellTargets } from './target-path.ts'

export interface TargetsIssue extends Issue {
  readonly files: ReadonlyMap<string, FileInfo>
}

export interface BinDelegation extends Issue {
  /** There are 2^bits bins. */
  readonly bits: number
  readonly holders: KeyHolders
}

/** A plain list, for repositories that are signed as a whole. */
export function signTargets({ files, ...issue }: TargetsIssue): SignedFile {
  return issueTargets('targets', { targets: spellTargets(files) }, issue)
}

/** Lists nothing itself: every path belongs to a bin, which the online key signs. */
export function delegateToBins({ bits, holders, ...issue }: BinDelegation): SignedFile {
  const { keys } = checkHolders('the bins', holders)
  const delegations = {
    keys: Object.fromEntries(keys.map((key) => [key.id, describeKey(key)])),
    succinct_roles: { ...spellRole(holders), bit_length: checkBits(bits), name_prefix: BIN_PREFIX },
  }
  return issueTargets('targets', { targets: {}, delegations }, issue)
}

export function issueTargets(role: string, content: JsonObject, issue: Issue): SignedFile {
  const head = headOf('targets', issue)
  const metadata = signPart(new PlainTargets(head, content), issue.keys)
  return encodeDocument(`${head.version}.${role}.json`, metadata)
}
