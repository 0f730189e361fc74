import type { Adapter, AdapterPayload } from 'oidc-provider'

interface StoredRecord {
  readonly payload: AdapterPayload
  readonly expiresAt: number
}

const MOST_RECORDS_PER_MODEL = 5_000

/**
 * What the provider remembers, for one provider and one process. Records are copied in and out: a model
 * that the provider goes on changing after it was saved must not change what was saved.
 */
export function createOidcStore(): (model: string) => Adapter {
  const models = new Map<string, Map<string, StoredRecord>>()
  return (model) => {
    const records = models.get(model) ?? new Map<string, StoredRecord>()
    models.set(model, records)
    return adapterOver(records)
  }
}

function adapterOver(records: Map<string, StoredRecord>): Adapter {
  const find = (id: string): AdapterPayload | undefined => {
    const record = records.get(id)
    if (record === undefined) return undefined
    if (record.expiresAt > Date.now()) return structuredClone(record.payload)
    records.delete(id)
    return undefined
  }
  const findWhere = (holds: (payload: AdapterPayload) => boolean): AdapterPayload | undefined => {
    for (const [id, { payload }] of records) if (holds(payload)) return find(id)
    return undefined
  }
  return {
    async upsert(id, payload, expiresIn) {
      const expiresAt = expiresIn === undefined ? Number.POSITIVE_INFINITY : Date.now() + expiresIn * 1_000
      records.delete(id)
      records.set(id, { payload: structuredClone(payload), expiresAt })
      const [oldest] = records.keys()
      if (records.size > MOST_RECORDS_PER_MODEL && oldest !== undefined) records.delete(oldest)
    },
    async consume(id) {
      const record = records.get(id)
      if (record !== undefined) record.payload.consumed = Math.floor(Date.now() / 1_000)
    },
    async destroy(id) {
      records.delete(id)
    },
    async revokeByGrantId(grantId) {
      for (const [id, { payload }] of records) if (payload.grantId === grantId) records.delete(id)
    },
    find: async (id) => find(id),
    findByUid: async (uid) => findWhere((payload) => payload.uid === uid),
    findByUserCode: async (userCode) => findWhere((payload) => payload.userCode === userCode),
  }
}
