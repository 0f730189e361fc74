/** PostgreSQL counts from 2000, in microseconds. */
const EPOCH_MS = Date.UTC(2000, 0, 1)
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const FIRST_BYTES = 16 * 1024

export interface CopyRows {
  readonly rows: number
  readonly bytes: number
  /** Begins a row. Its columns follow, in the order of the statement. */
  row(columns: number): void
  none(): void
  bigint(value: number): void
  integer(value: number): void
  double(value: number): void
  time(ms: number): void
  text(value: string): void
  json(value: unknown): void
  binary(value: Uint8Array): void
  /** All of it, for `Database.copy`. Nothing can be added afterwards. */
  end(): Buffer
}

/** Rows in the binary format of COPY: the server need not parse numbers and times, which is most of the work of text. */
export function createCopyRows(): CopyRows {
  let buffer = Buffer.allocUnsafe(FIRST_BYTES)
  let length = SIGNATURE.copy(buffer)
  let rows = 0

  function reserve(bytes: number): number {
    const at = length
    length += bytes
    if (length > buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, buffer.length * 2))
      buffer.copy(larger, 0, 0, at)
      buffer = larger
    }
    return at
  }

  function bigint(value: number): void {
    const at = reserve(12)
    buffer.writeInt32BE(8, at)
    // Two halves: a BigInt for each value would be most of the time that this takes.
    buffer.writeInt32BE(Math.floor(value / 2 ** 32), at + 4)
    buffer.writeUInt32BE(value - Math.floor(value / 2 ** 32) * 2 ** 32, at + 8)
  }

  function binary(value: Uint8Array): void {
    const at = reserve(4 + value.byteLength)
    buffer.writeInt32BE(value.byteLength, at)
    buffer.set(value, at + 4)
  }

  return {
    get rows() {
      return rows
    },
    get bytes() {
      return length
    },
    row(columns) {
      rows += 1
      const at = reserve(2)
      buffer.writeInt16BE(columns, at)
    },
    none() {
      const at = reserve(4)
      buffer.writeInt32BE(-1, at)
    },
    bigint,
    integer(value) {
      const at = reserve(8)
      buffer.writeInt32BE(4, at)
      buffer.writeInt32BE(value, at + 4)
    },
    double(value) {
      const at = reserve(12)
      buffer.writeInt32BE(8, at)
      buffer.writeDoubleBE(value, at + 4)
    },
    time: (ms) => bigint((ms - EPOCH_MS) * 1_000),
    text: (value) => binary(Buffer.from(value)),
    json(value) {
      // The first byte is the version of the format.
      binary(Buffer.from(`\u0001${JSON.stringify(value)}`))
    },
    binary,
    end() {
      const at = reserve(2)
      buffer.writeInt16BE(-1, at)
      return buffer.subarray(0, length)
    },
  }
}
