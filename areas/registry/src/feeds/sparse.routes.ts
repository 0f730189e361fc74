import { Problem } from '@patchbay/contracts/core'
import { getSparsePackage } from '@patchbay/contracts/registry'
import { type HttpApp, on, READ } from '@patchbay/kernel/http'
import { BatchQueue } from '@patchbay/primitives/async'
import type { RegistryDeps } from '../deps.ts'
import { answer } from '../files/answer.routes.ts'
import { servedBrands } from '../index-settings.ts'
import { refuseQuarantined } from '../packages/quarantine.ts'
import { type PackageRecord, spellPackage } from './listed-package.ts'
import { findPublicRecords, findQuarantineReason, findSignedSparse } from './sparse.store.ts'
import type { SparseTexts } from './sparse-texts.ts'

export function registerSparse(app: HttpApp, { db, settings }: RegistryDeps, texts: SparseTexts): void {
  const brands = new Set(servedBrands(settings))

  const records = new BatchQueue<string, PackageRecord | undefined>({
    collect: 'per_turn',
    async run(identifiers) {
      const found = await findPublicRecords(db, [...new Set(identifiers)])
      const byIdentifier = new Map(found.map((record) => [record.identifier, record]))
      return identifiers.map((identifier) => byIdentifier.get(identifier))
    },
  })

  /** With a signed index exactly what was signed: a newer text would look forged until its signature is there. */
  const findText = async (brand: string, identifier: string): Promise<string | undefined> => {
    if (settings.trust !== undefined) {
      const signed = await findSignedSparse(db, brand, identifier)
      if (signed !== undefined) return signed
    }
    const record = await records.add(identifier)
    return record === undefined ? undefined : spellPackage(record, brand, settings.publicUrl)
  }

  app.route({
    ...on(getSparsePackage),
    method: READ,
    async handler(request, reply) {
      const { brand, file } = request.params
      if (!brands.has(brand)) throw new Problem('not_found')
      const identifier = file.slice(0, -'.json'.length)
      const found = await texts.find(`${brand} ${identifier}`, () => findText(brand, identifier))
      if (found === undefined) {
        // It keeps its name: told that it is unknown, a program would take it from the next source.
        const reason = await findQuarantineReason(db, identifier)
        throw reason === undefined ? new Problem('package_not_found') : refuseQuarantined(reason)
      }
      if (found === 'too large')
        throw new Problem('package_not_found', { detail: 'It is too large for a sparse file. See its page.' })
      return answer(request, reply, found)
    },
  })
}
