export interface MeasuredPackage {
  readonly identifier: string
  /** Of its metadata and that of all its versions, about. */
  readonly bytes: number
}

const MAX_BATCH_BYTES = 4 * 1024 * 1024

/** In the order given, each with a bounded number of bytes, or with a single package that is larger. */
export function* batchesOf(
  packages: readonly MeasuredPackage[],
  maxBytes = MAX_BATCH_BYTES,
): Generator<MeasuredPackage[]> {
  let batch: MeasuredPackage[] = []
  let total = 0
  for (const each of packages) {
    if (batch.length > 0 && total + each.bytes > maxBytes) {
      yield batch
      batch = []
      total = 0
    }
    batch.push(each)
    total += each.bytes
  }
  if (batch.length > 0) yield batch
}
