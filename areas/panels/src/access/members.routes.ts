import { Problem } from '@patchbay/contracts/core'
import { SHARING_LIMITS } from '@patchbay/contracts/limits'
import {
  deleteWorkspaceInvitation,
  deleteWorkspaceMember,
  getWorkspaceInvitations,
  getWorkspaceMembers,
  postInvitationJoin,
  postInvitationLook,
  postWorkspaceInvitation,
  putWorkspaceMember,
  type WorkspaceRef,
} from '@patchbay/contracts/panels'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { Control } from '../control.ts'
import type { Caller, PanelsDeps } from '../deps.ts'
import { newId } from '../new-id.ts'
import { admit, admitCaller } from './admission.store.ts'
import { findInvitation, keepInvitation, listInvitations, revokeInvitation } from './invitation.store.ts'
import { endOf, joinAddress, presentInvitation } from './invitation.ts'
import { findRole, joinBy, listMembers, removeMember, setMember } from './member.store.ts'
import { type Admission, rightOf } from './rights.store.ts'

/** Per client: whoever guesses secrets gets nowhere, and not fast. */
const PUBLIC_RATE = { max: 60, windowMs: 60_000 } as const
const READING: Admission = { areas: ['workspace'], access: 'read' }
const MANAGING: Admission = { areas: ['workspace'], access: 'write', isOwnersOnly: true }

/** Who was let into a workspace, and the links that let people in. */
export function registerMembers(app: HttpApp, deps: PanelsDeps, control: Control): void {
  const { db, clock, createSecret, access, settings } = deps

  app.route({
    ...on(getWorkspaceMembers),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { caller } = await admit(deps, request, request.params, READING)
      const mayManage =
        !isKey(caller) && (await rightOf(deps, caller, request.params, MANAGING)) !== undefined
      return { items: await listMembers(db, request.params), mayManage }
    },
  })

  app.route({
    ...on(putWorkspaceMember),
    async handler(request, reply) {
      const { handle, ...at } = request.params
      const caller = await admitManager(deps, await access.requireChange(request), at)
      if (handle === at.owner)
        throw new Problem('invalid_request', { detail: 'The workspace belongs to them.' })
      const person = await access.findPerson(handle)
      if (person === undefined) throw new Problem('not_found', { detail: 'Nobody has this handle.' })
      const member = { ...person, handle, role: request.body.role }
      if (await setMember(db, at, member, caller, clock.now())) control.notify(at)
      return reply.code(204).send()
    },
  })

  app.route({
    ...on(deleteWorkspaceMember),
    async handler(request, reply) {
      const { handle, ...at } = request.params
      const caller = await access.requireChange(request)
      const isLeaving = handle === caller.handle && (await findRole(db, at, caller.personId)) !== undefined
      if (isLeaving && isKey(caller)) throw new Problem('not_permitted', NOT_WITH_A_KEY)
      if (!isLeaving) await admitManager(deps, caller, at)
      if (!(await removeMember(db, at, handle, caller, clock.now()))) throw new Problem('not_found')
      control.notify(at)
      return reply.code(204).send()
    },
  })

  app.route({
    ...on(getWorkspaceInvitations),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      await admitManager(deps, await access.requirePrincipal(request), request.params)
      return { items: (await listInvitations(db, request.params, clock.now())).map(presentInvitation) }
    },
  })

  app.route({
    ...on(postWorkspaceInvitation),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { params: at, body } = request
      const caller = await admitManager(deps, await access.requireChange(request), at)
      const { role, uses = 1, expiresInHours = SHARING_LIMITS.defaultInvitationHours } = body
      const [secret, now] = [createSecret(), clock.now()]
      const wanted = { id: newId(createSecret), secret, role, usesLeft: uses }
      const times = { createdAt: now, expiresAt: endOf(now, expiresInHours) }
      const kept = await keepInvitation(db, at, { ...wanted, ...times }, caller)
      control.notify(at)
      const url = joinAddress(settings.publicUrl, secret)
      return reply.code(201).send({ url, invitation: presentInvitation(kept) })
    },
  })

  app.route({
    ...on(deleteWorkspaceInvitation),
    async handler(request, reply) {
      const { id, ...at } = request.params
      const caller = await admitManager(deps, await access.requireChange(request), at)
      if (!(await revokeInvitation(db, at, id, caller, clock.now()))) throw new Problem('not_found')
      control.notify(at)
      return reply.code(204).send()
    },
  })

  app.route({
    ...on(postInvitationLook, { rateLimit: PUBLIC_RATE }),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { owner, repo, role, createdBy, expiresAt } = await requireOpen(deps, request.body.invitation)
      return { owner, repo, role, invitedBy: createdBy, expiresAt: expiresAt.toISOString() }
    },
  })

  app.route({
    ...on(postInvitationJoin, { rateLimit: PUBLIC_RATE }),
    async handler(request) {
      const caller = await access.requireChange(request)
      if (isKey(caller)) throw new Problem('not_permitted', NOT_WITH_A_KEY)
      const invitation = await requireOpen(deps, request.body.invitation)
      const { owner, repo, role } = invitation
      const needed: Admission = { areas: ['workspace'], access: role === 'editor' ? 'write' : 'read' }
      if ((await rightOf(deps, caller, { owner, repo }, needed)) !== undefined) return { owner, repo, role }
      const joined = await joinBy(db, invitation, caller, clock.now())
      if (joined === undefined) throw new Problem('invitation_invalid')
      control.notify({ owner, repo })
      return { owner, repo, role: joined }
    },
  })
}

const NOT_WITH_A_KEY = { detail: 'Who may see a workspace is decided by people, not with an API key.' }

function isKey({ credential }: Caller): boolean {
  return credential.kind === 'api_key'
}

/** Whoever may write because of the owner: those who were let in let nobody else in. */
async function admitManager(deps: PanelsDeps, caller: Caller, at: WorkspaceRef): Promise<Caller> {
  if (isKey(caller)) throw new Problem('not_permitted', NOT_WITH_A_KEY)
  await admitCaller(deps, caller, at, MANAGING)
  return caller
}

async function requireOpen({ db, clock }: PanelsDeps, secret: string) {
  const invitation = await findInvitation(db, secret, clock.now())
  if (invitation === undefined) throw new Problem('invitation_invalid')
  return invitation
}
