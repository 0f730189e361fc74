import { Problem, type WorkspaceRole } from '@patchbay/client/workspaces'
import { stripHidden } from '@patchbay/primitives/text'
import { EXIT } from '../account/ending.ts'
import { timeInWords } from '../account/words.ts'
import { problemWords } from '../command/problem-words.ts'
import { Refusal } from '../command/refusal.ts'
import type { Outcome, Task } from '../command/run-task.ts'
import { counted, tableOf } from '../terminal/table.ts'
import { type AskedWorkspace, type ServerWord, withWorkspace, withWorkspaces } from './open-workspaces.ts'

export interface ShareWords extends ServerWord {
  readonly role: WorkspaceRole
  readonly link?: boolean
  readonly days: number
  readonly uses: number
}

const HOURS_A_DAY = 24
const LINK_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** `patchbay workspace share`. */
export async function shareWorkspace(
  task: Task,
  text: string,
  handle: string | undefined,
  words: ShareWords,
): Promise<Outcome> {
  if ((handle === undefined) === (words.link !== true))
    throw new Refusal(EXIT.usage, 'who', 'Name one person by their handle, or add --link.')
  return await withWorkspace(task, text, words, 'workspace', async (asked) => {
    const { workspace, name, server } = asked
    const { role, uses } = words
    return await telling(asked, handle, async () => {
      if (handle !== undefined) {
        await workspace.members.set(handle, role)
        const where = `${server}/workspaces/${name}`
        return {
          json: { handle, role },
          text: `Shared ${name} with ${handle}, as ${role}.\nThey find it at ${where}`,
        }
      }
      const made = await workspace.invitations.create({
        role,
        uses,
        expiresInHours: words.days * HOURS_A_DAY,
      })
      const said = `Lets ${counted(uses, 'person', 'people')} in as ${role}, until ${timeInWords(made.invitation.expiresAt)}. It is not shown again.`
      return { json: made, text: `${made.url}\n${said}` }
    })
  })
}

/** `patchbay workspace members`. */
export async function listMembers(task: Task, text: string, words: ServerWord): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'workspace', async ({ workspace, name, advise }) => {
    const members = await workspace.members.list()
    // For the owner alone, and not with a key: then there are just none to show.
    const links = await workspace.invitations.list().catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'not_permitted') return undefined
      throw error
    })
    const rows = [
      [workspace.owner, 'owner', '', ''],
      ...members.map(({ handle, role, invitedBy, joinedAt }) => [
        handle,
        role,
        `added by ${invitedBy}`,
        timeInWords(joinedAt),
      ]),
      ...(links ?? []).map(({ id, role, usesLeft, expiresAt }) => [
        id,
        `${role} link`,
        `${counted(usesLeft, 'use')} left`,
        `until ${timeInWords(expiresAt)}`,
      ]),
    ]
    const hint = `Share it with ${advise(`workspace share ${name} <handle>`)}.`
    const isAlone = members.length === 0 && (links ?? []).length === 0
    return {
      json: { members, ...(links === undefined ? {} : { invitations: links }) },
      text: isAlone ? `${tableOf(rows)}\n${hint}` : tableOf(rows),
    }
  })
}

/** `patchbay workspace unshare`. */
export async function unshareWorkspace(
  task: Task,
  text: string,
  who: string,
  words: ServerWord,
): Promise<Outcome> {
  return await withWorkspace(task, text, words, 'workspace', async (asked) => {
    const { workspace, name } = asked
    return await telling(asked, who, async () => {
      if (LINK_ID.test(who)) {
        await workspace.invitations.revoke(who.toLowerCase())
        return { json: { revoked: who }, text: 'Revoked the link. Who has joined with it stays.' }
      }
      await workspace.members.remove(who)
      return { json: { removed: who }, text: `${who} has no access to ${name} anymore.` }
    })
  })
}

/** `patchbay workspace join`. */
export async function joinWorkspace(task: Task, link: string, words: ServerWord): Promise<Outcome> {
  return await withWorkspaces(task, words, async ({ workspaces, server, advise }) => {
    // What is no address is the secret alone.
    const { origin } = URL.canParse(link) ? new URL(link) : { origin: server }
    if (origin !== server)
      throw new Refusal(
        EXIT.usage,
        'other_server',
        `The link is one of ${origin}, and this speaks to ${server}.\nAdd --server ${origin}.`,
      )
    try {
      const { owner, repo, role } = await workspaces.join(link)
      const name = `${owner}/${repo}`
      const next = advise(`workspace show ${name}`)
      return {
        json: { owner, repo, role },
        text: `You are in ${name}, as ${role}.\nOpen ${server}/workspaces/${name}, or run ${next}.`,
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (error.code === 'invitation_invalid')
        throw new Refusal(
          EXIT.failed,
          error.code,
          'This invitation cannot be used: it was used up or revoked, has expired, or was copied incompletely.\nAsk for a new one, and put the link in quotes.',
        )
      throw error.code === 'not_permitted' ? withLogin() : problemWords(error)
    }
  })
}

/** `patchbay workspace shared`. */
export async function listShared(task: Task, words: ServerWord): Promise<Outcome> {
  return await withWorkspaces(task, words, async ({ workspaces }) => {
    const shared = await workspaces.shared().catch((error: unknown) => {
      if (error instanceof Problem) throw error.code === 'not_permitted' ? withLogin() : problemWords(error)
      throw error
    })
    const rows = shared.map(({ owner, repo, role, invitedBy, changedAt }) => [
      `${owner}/${repo}`,
      role,
      `invited by ${invitedBy}`,
      `changed ${timeInWords(changedAt)}`,
    ])
    return {
      json: { workspaces: shared },
      text: shared.length === 0 ? 'Nobody shares a workspace with you.' : tableOf(rows),
    }
  })
}

/** Refusals that mean something else here than for other commands on a workspace. */
async function telling(
  { name, advise }: Pick<AskedWorkspace, 'name' | 'advise'>,
  who: string | undefined,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'not_found')
      throw new Refusal(
        EXIT.failed,
        error.code,
        `Nobody "${stripHidden(who ?? '')}" is known there.\nSee ${advise(`workspace members ${name}`)}. For somebody without an account, add --link instead of a handle.`,
      )
    if (error.code === 'not_permitted')
      throw new Refusal(
        EXIT.failed,
        error.code,
        `Only the owner of ${name} decides who may see it, and not with an API key.\nRun ${advise('login')}, without PATCHBAY_API_KEY.`,
      )
    throw error
  }
}

function withLogin(): Refusal {
  return new Refusal(
    EXIT.failed,
    'not_permitted',
    'This is for people, not for API keys.\nRun patchbay login, without PATCHBAY_API_KEY.',
  )
}
