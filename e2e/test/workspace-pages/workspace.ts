import { randomBytes } from 'node:crypto'
import type { CurrentWorkspace, Layout, LayoutNode } from '@patchbay/contracts/panels'
import type { Page, PageOptions, WatchedPage } from '@patchbay/testkit/chromium'
import { type Bench, type BenchOptions, useBench } from '../identity-pages/bench.ts'
import { signIn } from '../identity-pages/people.ts'
import { type Account, makeAccount, openSession, pageHeaders } from '../installation/accounts.ts'
import { makeOrganization } from '../packages-pages/publishing.ts'

export interface Workspace {
  readonly owner: Account
  readonly path: string
  /** A call as a script makes it, with a key for everything of this workspace. Answers the body; throws on a refusal. */
  call(method: string, path: string, body?: unknown): Promise<unknown>
  add(panelType: string, more?: Record<string, unknown>): Promise<{ tabId: string; panelId: string }>
  current(): Promise<CurrentWorkspace>
  /** A call as a page of its owner makes it. */
  callAsOwner(method: string, path: string, body?: unknown): Promise<unknown>
  /** Writes a file as a page of its owner does, whatever is there. Answers its revision. */
  write(path: string, content: string | Uint8Array<ArrayBuffer>): Promise<number>
  read(path: string): Promise<string>
  /** The paths of all its files. */
  files(): Promise<string[]>
  /** What it looks like, in short: `row(Web view* | Sandbox*)`. */
  drawn(): Promise<string>
}

export interface WorkspaceBench extends Bench {
  /** A workspace of somebody new, or of an organization that they own. */
  make(options?: { readonly repo?: string; readonly members?: readonly Account[] }): Promise<Workspace>
  /** A browser that has it open, signed in as its owner unless somebody else is named. */
  open(workspace: Workspace, options?: PageOptions & { readonly as?: Account }): Promise<WatchedPage>
  /** The same in a browser that is there already. */
  openIn(watched: WatchedPage, workspace: Workspace, as?: Account): Promise<void>
}

/** One installation and one browser for a test file; a workspace of its own for each test. */
export function useWorkspaces(surroundings: BenchOptions = {}): WorkspaceBench {
  const bench = useBench(surroundings)
  const openIn = async ({ page }: WatchedPage, workspace: Workspace, as = workspace.owner) => {
    // Shorter than a test may take, so that what failed is named.
    page.setDefaultTimeout(12_000)
    await signIn(bench.site, page, as)
    await page.goto(bench.site.url + workspace.path)
    await page.getByRole('banner').getByText('Connected', { exact: true }).waitFor({ state: 'attached' })
  }
  return {
    get site() {
      return bench.site
    },
    visit: (options) => bench.visit(options),
    visitAs: (options) => bench.visitAs(options),
    async make({ repo = 'lamp', members = [] } = {}) {
      const name = randomBytes(3).toString('hex')
      const owner = await makeAccount(bench.site, `ada-${name}`)
      if (members.length === 0) return await makeWorkspace(bench, owner, owner.handle, repo)
      const organization = `labs-${name}`
      await makeOrganization(bench.site, organization, [
        { account: owner, role: 'owner' },
        ...members.map((account) => ({ account, role: 'member' as const })),
      ])
      return await makeWorkspace(bench, owner, organization, repo)
    },
    async open(workspace, { as = workspace.owner, ...options } = {}) {
      const watched = await bench.visit(options)
      await openIn(watched, workspace, as)
      return watched
    },
    openIn,
  }
}

export async function makeWorkspace(
  { site }: Pick<Bench, 'site'>,
  owner: Account,
  handle: string,
  repo: string,
): Promise<Workspace> {
  const headers = pageHeaders(await openSession(site, owner), site.url)
  const api = `/api/workspaces/editor/${handle}/${repo}`
  await answered(await fetch(site.url + api, { method: 'PUT', headers: withoutType(headers) }))
  const made = await fetch(`${site.url}/auth/keys`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Nightly agent', scopes: [`panels:${handle}/${repo}`] }),
  })
  const { key } = (await answered(made)) as { key: string }
  const call = async (method: string, path: string, body?: unknown) =>
    await answered(
      await fetch(site.url + path.replace(':workspace', api).replace(':ref', `${handle}/${repo}`), {
        method,
        headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
  const callAsOwner = async (method: string, path: string, body?: unknown) =>
    await answered(
      await fetch(site.url + path.replace(':workspace', api), {
        method,
        headers: body === undefined ? withoutType(headers) : headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
  const current = async () => (await call('GET', ':workspace/current')) as CurrentWorkspace
  return {
    owner,
    path: `/workspaces/${handle}/${repo}`,
    call,
    callAsOwner,
    current,
    async write(path, content) {
      const written = await fetch(`${site.url}${api}/files/content?path=${encodeURIComponent(path)}`, {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/octet-stream', 'if-match': '*' },
        body: content,
      })
      return ((await answered(written)) as { revision: number }).revision
    },
    async read(path) {
      const address = `${site.url}${api}/files/content?path=${encodeURIComponent(path)}`
      return await (await fetch(address, { headers: withoutType(headers) })).text()
    },
    async files() {
      const listed = await callAsOwner('GET', ':workspace/files?recursive=true&limit=1000')
      return (listed as { files: { path: string }[] }).files.map(({ path }) => path)
    },
    add: async (panelType, more = {}) =>
      (await call('POST', `:workspace/current/${'direction' in more ? 'splits' : 'tabs'}`, {
        panelType,
        ...more,
      })) as { tabId: string; panelId: string },
    drawn: async () => draw((await current()).layout),
  }
}

function withoutType({ 'content-type': _type, ...headers }: Record<string, string>): Record<string, string> {
  return headers
}

async function answered(response: Response): Promise<unknown> {
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

export function draw({ root }: Layout): string {
  const of = (node: LayoutNode): string =>
    node.type === 'leaf'
      ? node.tabs.map(({ id, title }) => title + (id === node.activeTabId ? '*' : '')).join(' ')
      : `${node.direction}(${node.children.map(of).join(' | ')})`
  return of(root)
}

export const tabNamed = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
/** The whole panel: the bar inside of some has the same name. */
export const panelNamed = (page: Page, name: string) =>
  page.getByRole('group', { name, exact: true }).and(page.locator('[data-tab-id]'))
