import { BIN_PREFIX, checkBits } from './bin-name.ts'
import {
  type FileInfo,
  headOf,
  type Issue,
  type IssuedFile,
  type JsonObject,
  signSpelled,
} from './document.ts'
import { describeKey } from './keys.ts'
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
export function signTargets({ files, ...issue }: TargetsIssue): IssuedFile {
  return issueTargets('targets', { targets: spellTargets(files) }, issue)
}

/** Lists nothing itself: every path belongs to a bin, which the online key signs. */
export function delegateToBins({ bits, holders, ...issue }: BinDelegation): IssuedFile {
  const { keys } = checkHolders('the bins', holders)
  const delegations = {
    keys: Object.fromEntries(keys.map((key) => [key.id, describeKey(key)])),
    succinct_roles: { ...spellRole(holders), bit_length: checkBits(bits), name_prefix: BIN_PREFIX },
  }
  return issueTargets('targets', { targets: {}, delegations }, issue)
}

export function issueTargets(
  role: string,
  content: JsonObject,
  issue: Issue,
  continued?: JsonObject,
): IssuedFile {
  const head = headOf('targets', issue, continued)
  return signSpelled(`${head.version}.${role}.json`, head, content, issue)
}
