import { Problem } from '@patchbay/contracts/core'
import { getMetadataSchema, getMetadataSchemaOf } from '@patchbay/contracts/registry'
import { type HttpApp, on, READ } from '@patchbay/kernel/http'
import { NEUTRAL_BRAND } from '@patchbay/package-format'
import { jsonSchema, jsonSchemaOf, type SchemaName } from '@patchbay/package-format/validate'
import type { RegistryDeps } from '../deps.ts'
import { registryUrl } from '../files/addresses.ts'
import { answer } from '../files/answer.routes.ts'
import { REVALIDATED, type Representation, representText } from '../files/representation.ts'
import { servedBrands } from '../index-settings.ts'

const NAMES = {
  'package.json': 'Package',
  'packages.json': 'PackageArray',
  'repository.json': 'Repository',
} as const satisfies Record<string, SchemaName>

/** The schemas name this installation as their home, so that an editor can follow them to where they came from. */
export function registerSchemas(app: HttpApp, { settings }: RegistryDeps): void {
  const brands = new Set(servedBrands(settings))
  const made = new Map<string, Representation>()

  const show = (path: string, brand = NEUTRAL_BRAND, name?: SchemaName): Representation => {
    if (!brands.has(brand)) throw new Problem('not_found')
    const id = `${registryUrl(settings.publicUrl)}/schemas/${path}${brand === NEUTRAL_BRAND ? '' : `?brand=${brand}`}`
    const known = made.get(id)
    if (known !== undefined) return known
    const schema = name === undefined ? jsonSchema({ brand, id }) : jsonSchemaOf(name, { brand, id })
    const representation = representText(JSON.stringify(schema), 'application/schema+json', REVALIDATED)
    made.set(id, representation)
    return representation
  }

  app.route({
    ...on(getMetadataSchema),
    method: READ,
    handler: (request, reply) => answer(request, reply, show('v1.json', request.query.brand)),
  })
  app.route({
    ...on(getMetadataSchemaOf),
    method: READ,
    handler: (request, reply) => {
      const { document } = request.params
      return answer(request, reply, show(`v1/${document}`, request.query.brand, NAMES[document]))
    },
  })
}
