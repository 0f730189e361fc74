/** Numbers that look random and are the same in every run with the same seed. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

type Random = (below: number) => number
type Mutation = (bytes: Buffer, random: Random, others: readonly Buffer[]) => Buffer

const EXTREMES = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff]

const flipBits: Mutation = (bytes, random) => {
  for (let count = 1 + random(8); count > 0; count -= 1) {
    const at = random(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8))
  }
  return bytes
}
/** Most of what decides is at the start. */
const flipInHeader: Mutation = (bytes, random) => {
  const at = random(Math.min(bytes.length, 200))
  bytes[at] = random(256)
  return bytes
}
const cut: Mutation = (bytes, random) => bytes.subarray(0, random(bytes.length))
const cutOut: Mutation = (bytes, random) => {
  const at = random(bytes.length)
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random(64))])
}
const repeat: Mutation = (bytes, random) => {
  const at = random(bytes.length)
  const piece = bytes.subarray(at, at + 1 + random(2000))
  return Buffer.concat([
    bytes.subarray(0, at),
    ...Array<Buffer>(1 + random(20)).fill(piece),
    bytes.subarray(at),
  ])
}
/** Lengths, sizes and offsets are numbers of four bytes, in either order. */
const lie: Mutation = (bytes, random) => {
  const at = random(Math.max(1, Math.min(bytes.length, random(2) === 0 ? 400 : bytes.length) - 4))
  const value = EXTREMES[random(EXTREMES.length)] ?? 0
  if (random(2) === 0) bytes.writeUInt32BE(value, at)
  else bytes.writeUInt32LE(value, at)
  return bytes
}
const splice: Mutation = (bytes, random, others) => {
  const other = others[random(others.length)] ?? bytes
  return Buffer.concat([bytes.subarray(0, random(bytes.length)), other.subarray(random(other.length))])
}

const MUTATIONS = [flipBits, flipInHeader, cut, cutOut, repeat, lie, splice]

/** One to three mutations of one of the files. */
export function mutant(files: readonly Buffer[], random: Random): Buffer {
  let bytes: Buffer = Buffer.from(files[random(files.length)] ?? '')
  for (let count = 1 + random(3); count > 0 && bytes.length > 8; count -= 1) {
    bytes = (MUTATIONS[random(MUTATIONS.length)] ?? flipBits)(Buffer.from(bytes), random, files)
  }
  return bytes
}
