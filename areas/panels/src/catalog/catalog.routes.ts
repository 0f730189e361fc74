import { Problem } from '@patchbay/contracts/core'
import { deleteCatalogPanel, getPanelCatalog, postCatalogPanel } from '@patchbay/contracts/panels'
import { type HttpApp, on } from '@patchbay/kernel/http'
import type { Asking, PanelsDeps } from '../deps.ts'
import { newId } from '../new-id.ts'
import { BUILT_IN_PANELS } from './built-in-panels.ts'
import { catalogCursor, readCatalogCursor } from './catalog-page.ts'
import { addThirdPartyPanel, listThirdPartyPanels, removeThirdPartyPanel } from './third-party.store.ts'

/** Of the whole address, as it is stored. */
const LONGEST = 2_000

/** The page that a panel shows, spelt as browsers spell it. A name or password in it would be shown to everybody. */
function readPageAddress(text: string): string {
  const url = URL.parse(text)
  if (url === null || url.protocol !== 'https:')
    throw new Problem('invalid_request', { detail: 'body/url is no https address.' })
  if (url.username !== '' || url.password !== '')
    throw new Problem('invalid_request', { detail: 'body/url holds a name or a password.' })
  if (url.href.length > LONGEST)
    throw new Problem('invalid_request', { detail: `body/url is longer than ${LONGEST} characters.` })
  return url.href
}

const DEFAULT_ICON = 'app-window'

/** Our panels are no secret. What an owner has added may name addresses of their own network. */
export function registerCatalog(
  app: HttpApp,
  deps: PanelsDeps,
  mayReadAny: PanelsDeps['access']['mayReadAny'],
): void {
  const { db, clock, createSecret } = deps

  app.route({
    ...on(getPanelCatalog),
    async handler(request, reply) {
      reply.header('cache-control', 'no-cache')
      const { owner, category, cursor, limit = 100 } = request.query
      if (owner !== undefined) {
        const caller = await deps.access.requirePrincipal(request)
        if (!(await mayReadAny(caller, owner))) throw new Problem('not_permitted')
      }
      const position = cursor === undefined ? { ours: 0 } : readCatalogCursor(cursor)
      const ours = BUILT_IN_PANELS.filter((panel) => category === undefined || panel.category === category)
      const items = position.ours === undefined ? [] : ours.slice(position.ours, position.ours + limit)
      const end = (position.ours ?? 0) + items.length
      if (owner === undefined || (position.ours !== undefined && end < ours.length))
        return { items, nextCursor: end < ours.length ? catalogCursor({ ours: end }) : null }
      const room = limit - items.length
      const page = { category, after: position.after, limit: room + 1 }
      const theirs = await listThirdPartyPanels(db, owner, page)
      const all = [...items, ...theirs.slice(0, room)]
      const last = theirs[room - 1]
      if (theirs.length <= room) return { items: all, nextCursor: null }
      const next = last === undefined ? { ours: end } : { after: { name: last.name, uuid: uuidOf(last.id) } }
      return { items: all, nextCursor: catalogCursor(next) }
    },
  })

  app.route({
    ...on(postCatalogPanel),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const { owner } = request.params
      await requireWriteOfAll(deps, request, owner)
      const { icon = DEFAULT_ICON, url, singleton = false, ...words } = request.body
      const panel = { ...words, icon, url: readPageAddress(url), singleton, uuid: newId(createSecret) }
      return reply.code(201).send(await addThirdPartyPanel(db, owner, panel, clock.now()))
    },
  })

  app.route({
    ...on(deleteCatalogPanel),
    async handler(request, reply) {
      const { owner, panelUuid } = request.params
      await requireWriteOfAll(deps, request, owner)
      if (!(await removeThirdPartyPanel(db, owner, panelUuid))) throw new Problem('panel_type_not_found')
      return reply.code(204).send()
    },
  })
}

/** A panel is for every workspace of the owner, and so must be the right to add one. */
async function requireWriteOfAll({ access }: PanelsDeps, request: Asking, owner: string): Promise<void> {
  const caller = await access.requireChange(request)
  if (!(await access.isAllowed(caller, 'workspace', owner, '*', 'write'))) throw new Problem('not_permitted')
}

function uuidOf(id: string): string {
  return id.slice(id.indexOf('/') + 1)
}
