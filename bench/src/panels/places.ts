import type { AddedTab } from '@patchbay/contracts/panels'
import type { Browser } from '../identity/people.ts'
import { inLanes } from '../processes.ts'

/** A workspace with one web view, and the person whose it is. */
export interface Place {
  readonly owner: string
  readonly repo: string
  /** The leaf. */
  readonly panelId: string
  readonly cookie: string
  readonly origin: string
}

const TOGETHER = 20

/** Made through the interface that everybody has, spread over people: one owner may not have so many. */
export async function makePlaces(
  port: number,
  browsers: readonly Browser[],
  count: number,
): Promise<readonly Place[]> {
  const places: Place[] = []
  await inLanes(TOGETHER, count, async (number) => {
    places[number] = await makePlace(port, browsers, number)
  })
  return places
}

async function makePlace(port: number, browsers: readonly Browser[], number: number): Promise<Place> {
  const person = number % browsers.length
  const browser = browsers[person]
  if (browser === undefined) throw new Error('nobody is there')
  const origin = `http://localhost:${port}`
  const headers = { cookie: browser.cookie, 'x-csrf-token': browser.csrf, origin }
  const owner = `bench-${person}`
  const repo = `w-${number}`
  const workspace = `http://127.0.0.1:${port}/api/workspaces/editor/${owner}/${repo}`
  await demand(await fetch(workspace, { method: 'PUT', headers }), [200, 201])
  const added = await demand(
    await fetch(`${workspace}/current/tabs`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ panelType: 'webview', initialState: { url: 'https://example.com/' } }),
    }),
    [201],
  )
  const { panelId } = (await added.json()) as AddedTab
  return { owner, repo, panelId, cookie: browser.cookie, origin }
}

export async function makeKey(port: number, browser: Browser, scope: string): Promise<string> {
  const answer = await demand(
    await fetch(`http://127.0.0.1:${port}/auth/keys`, {
      method: 'POST',
      headers: {
        cookie: browser.cookie,
        'x-csrf-token': browser.csrf,
        origin: `http://localhost:${port}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'bench', scopes: [scope] }),
    }),
    [201],
  )
  return ((await answer.json()) as { key: string }).key
}

async function demand(answer: Response, statuses: readonly number[]): Promise<Response> {
  if (!statuses.includes(answer.status))
    throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`)
  return answer
}
