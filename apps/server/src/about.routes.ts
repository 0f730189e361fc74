import { getAbout } from '@patchbay/contracts/core'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { Installation } from '@patchbay/kernel/postgres'

export interface AboutDeps {
  readonly version: string
  readonly node: string
  readonly findInstallation: () => Promise<Installation>
}

export function registerAbout(app: HttpApp, { version, node, findInstallation }: AboutDeps): void {
  app.route({
    ...on(getAbout),
    async handler() {
      const { id, createdAt } = await findInstallation()
      return {
        name: 'patchbay' as const,
        version,
        node,
        installation: { id, created_at: createdAt.toISOString() },
      }
    },
  })
}
