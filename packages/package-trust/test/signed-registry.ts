import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  binNameOf,
  createRoot,
  createSigningKey,
  delegateToBins,
  type FileInfo,
  publicKeyOf,
  rotateRoot,
  type SignedFile,
  signBin,
  signEmptyBins,
  signSnapshot,
  signTimestamp,
} from '../src/signing/index.ts'

const MONTH_MS = 30 * 86_400_000

/** `role` → its newest file. */
export type Release = ReadonlyMap<string, SignedFile>

/** What a registry does: offline keys made a root and a delegation, the online key signs all the rest. */
export class SignedRegistry {
  readonly bits: number
  readonly now = new Date()
  readonly rootKey = createSigningKey()
  readonly targetsKey = createSigningKey()
  onlineKey = createSigningKey()
  expires = new Date(this.now.getTime() + MONTH_MS)
  #files = new Map<string, SignedFile>()
  readonly #folder: string

  private constructor(folder: string, bits: number) {
    this.#folder = folder
    this.bits = bits
  }

  static async create(
    folder: string,
    { bits = 2, expires }: { bits?: number; expires?: Date } = {},
  ): Promise<SignedRegistry> {
    await mkdir(folder, { recursive: true })
    const registry = new SignedRegistry(folder, bits)
    if (expires !== undefined) registry.expires = expires
    registry.#take('root', createRoot({ ...registry.issue(registry.rootKey), roles: registry.#roles }))
    const bins = signEmptyBins({ ...registry.issue(registry.onlineKey), bits })
    for (const bin of bins) registry.#take(roleOf(bin), bin)
    await registry.release([registry.delegate(), ...bins])
    return registry
  }

  get #roles() {
    const one = (pem: string) => ({ keys: [publicKeyOf(pem)], threshold: 1 })
    return { root: one(this.rootKey), targets: one(this.targetsKey), online: one(this.onlineKey) }
  }

  issue(key: string, role?: string) {
    const previous = role === undefined ? undefined : this.#files.get(role)?.bytes
    return { now: this.now, expires: this.expires, keys: [key], previous }
  }

  file(role: string): SignedFile {
    const file = this.#files.get(role)
    if (file === undefined) throw new Error(`no ${role}`)
    return file
  }

  get root(): Uint8Array {
    return this.file('root').bytes
  }

  get state(): Release {
    return new Map(this.#files)
  }

  /** Goes on from an earlier state, as who stole the keys and a copy might. */
  restore(state: Release): void {
    this.#files = new Map(state)
  }

  delegate(): SignedFile {
    const holders = { keys: [publicKeyOf(this.onlineKey)], threshold: 1 }
    return this.#take(
      'targets',
      delegateToBins({ ...this.issue(this.targetsKey, 'targets'), bits: this.bits, holders }),
    )
  }

  async publish(path: string, content: string): Promise<void> {
    await this.change(path, measure(content))
  }

  async change(path: string, file: FileInfo | null): Promise<void> {
    const bin = binNameOf(path, this.bits)
    const { bits } = this
    const signed = signBin({
      ...this.issue(this.onlineKey, bin),
      bits,
      bin,
      changes: new Map([[path, file]]),
    })
    await this.release([this.#take(bin, signed)])
  }

  /** Signs a snapshot and a timestamp over what changed, and writes all that is newest. */
  async release(changed: readonly SignedFile[]): Promise<void> {
    const snapshot = this.#take(
      'snapshot',
      signSnapshot({ ...this.issue(this.onlineKey, 'snapshot'), changed }),
    )
    const issue = this.issue(this.onlineKey, 'timestamp')
    this.#take('timestamp', signTimestamp({ ...issue, snapshot: snapshot.bytes }))
    await this.write()
  }

  /** A new online key: root, delegation and every bin are signed again. Versions go on. */
  async rotateOnlineKey(): Promise<void> {
    this.onlineKey = createSigningKey()
    const { online } = this.#roles
    this.#take('root', rotateRoot({ ...this.issue(this.rootKey), previous: this.root, roles: { online } }))
    const { bits } = this
    const bins = [...this.#files.keys()]
      .filter((role) => role.startsWith('bin-'))
      .map((bin) =>
        this.#take(bin, signBin({ ...this.issue(this.onlineKey, bin), bits, bin, changes: new Map() })),
      )
    await this.release([this.delegate(), ...bins])
  }

  /** Puts a file in place without asking what the library would say to it. */
  async plant(role: string, file: SignedFile): Promise<void> {
    this.#take(role, file)
    await this.write()
  }

  async write(): Promise<void> {
    for (const { name, bytes } of this.#files.values()) await writeFile(join(this.#folder, name), bytes)
  }

  #take(role: string, file: SignedFile): SignedFile {
    this.#files.set(role, file)
    return file
  }
}

export function measure(content: string): FileInfo {
  return { length: Buffer.byteLength(content), sha256: createHash('sha256').update(content).digest('hex') }
}

function roleOf({ name }: SignedFile): string {
  return name.split('.')[1] ?? ''
}
