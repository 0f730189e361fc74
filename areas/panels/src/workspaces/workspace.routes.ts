import { Problem } from '@patchbay/contracts/core'
import { PANEL_SCOPE_AREAS } from '@patchbay/contracts/identity'
import { deleteWorkspace, getWorkspaces, putWorkspace } from '@patchbay/contracts/panels'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { Db } from '@patchbay/kernel/postgres'
import { tabs } from '@patchbay/workspace-layout'
import { partyOf } from '../access/action.ts'
import { admit, admitToMake, requireAny } from '../access/admission.store.ts'
import type { Control } from '../control.ts'
import type { PanelsDeps } from '../deps.ts'
import { newId } from '../new-id.ts'
import type { PanelsTables } from '../tables.ts'
import { workspaceFrom } from './template.ts'
import { TEMPLATES } from './templates.ts'
import { trashWorkspace } from './trash.store.ts'
import { findWorkspace, listWorkspaces, makeWorkspace } from './workspace.store.ts'
import { presentSummary, readWorkspaceCursor, workspaceCursor } from './workspace-list.ts'

export function registerWorkspaceList(app: HttpApp, deps: PanelsDeps, control: Control): void {
  const { db, clock, createSecret } = deps

  app.route({
    ...on(getWorkspaces),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { owner } = request.params
      const caller = await deps.access.requirePrincipal(request)
      const whole = { owner, repo: '*' }
      await requireAny(deps, caller, whole, { areas: PANEL_SCOPE_AREAS, access: 'read' })
      const { cursor, limit = 50 } = request.query
      const after = cursor === undefined ? undefined : readWorkspaceCursor(cursor)
      const { workspaces, nextAfter } = await listWorkspaces(db, owner, { after, limit })
      return {
        items: workspaces.map(presentSummary),
        nextCursor: nextAfter === undefined ? null : workspaceCursor(nextAfter),
      }
    },
  })

  app.route({
    ...on(putWorkspace),
    async handler(request, reply) {
      const { owner, repo } = request.params
      const caller = await admitToMake(deps, request, { owner, repo })
      const { template } = request.body
      const content = workspaceFrom(template && TEMPLATES[template], () => newId(createSecret))
      const write = await deps.prepareFiles(content.files)
      const fill = (tx: Db<PanelsTables>) => write(tx, { owner, repo }, partyOf(caller))
      const isNew = await makeWorkspace(db, { owner, repo }, { ...content, fill }, clock.now())
      const made = await findWorkspace(db, { owner, repo })
      // Somebody has removed it in this very moment.
      if (made === undefined) throw new Problem('workspace_not_found')
      const summary = presentSummary({ ...made, tabs: tabs(made.layout).length })
      return reply.code(isNew ? 201 : 200).send(summary)
    },
  })

  app.route({
    ...on(deleteWorkspace),
    async handler(request, reply) {
      const { owner, repo } = request.params
      const { caller } = await admit(
        deps,
        request,
        { owner, repo },
        // Those who were let in may change what is there, not take it away.
        { areas: ['workspace'], access: 'write', isOwnersOnly: true },
      )
      const id = newId(createSecret)
      if (!(await trashWorkspace(db, { owner, repo }, { id, caller, now: clock.now() })))
        throw new Problem('workspace_not_found')
      control.notify({ owner, repo })
      return reply.code(204).send()
    },
  })
}
