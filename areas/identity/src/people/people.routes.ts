import { Problem } from '@patchbay/contracts/core'
import { deletePersonAccess, getPeople, patchPerson, postInvitation } from '@patchbay/contracts/identity'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { IdentityDeps } from '../deps.ts'
import type { Principal } from '../principal.ts'
import type { Authentication } from '../sessions/authentication.store.ts'
import { invite } from './invite.store.ts'
import { endAllAccess, listPeople, setDisabled } from './people.store.ts'
import { peopleCursor, presentListedPerson, readPeopleCursor } from './people-list.ts'

export function registerPeople(app: HttpApp, deps: IdentityDeps, authentication: Authentication): void {
  app.route({
    ...on(getPeople),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      requireAdministrator(await authentication.requirePerson(request))
      const { cursor, limit = 50 } = request.query
      const after = cursor === undefined ? undefined : readPeopleCursor(cursor)
      const { people, nextAfter } = await listPeople(deps, { after, limit })
      return {
        items: people.map(presentListedPerson),
        next_cursor: nextAfter === undefined ? null : peopleCursor(nextAfter),
      }
    },
  })

  app.route({
    ...on(patchPerson),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const administrator = await authentication.requirePersonsChange(request)
      requireAdministrator(administrator)
      const { is_disabled: isDisabled, quarantine_packages: quarantine } = request.body
      const person = await setDisabled(deps, request.params.handle, isDisabled)
      if (isDisabled) await deps.endWorkspaceLinks?.(person.handle)
      // Afterwards: from then on nothing new is published that would be missed.
      if (isDisabled && quarantine !== undefined)
        await deps.quarantinePackages?.(administrator, person.handle, quarantine.reason.trim())
      return presentListedPerson(person)
    },
  })

  app.route({
    ...on(deletePersonAccess),
    async handler(request, reply) {
      requireAdministrator(await authentication.requirePersonsChange(request))
      await endAllAccess(deps, request.params.handle)
      await deps.endWorkspaceLinks?.(request.params.handle)
      return reply.code(204).send()
    },
  })

  app.route({
    ...on(postInvitation),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const administrator = await authentication.requirePersonsChange(request)
      requireAdministrator(administrator)
      const makesAdmin = request.body.makes_admin ?? false
      const { secret, expiresAt } = await invite(deps, administrator, makesAdmin)
      const url = `${deps.settings.publicUrl}/welcome?invitation=${secret}`
      return reply.code(201).send({ url, expires_at: expiresAt.toISOString() })
    },
  })
}

function requireAdministrator({ isAdmin }: Principal): void {
  if (!isAdmin) throw new Problem('not_permitted')
}
