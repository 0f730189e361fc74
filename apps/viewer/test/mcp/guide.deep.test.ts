import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { connectAgent } from './agents.ts'
import { createDesk } from './rig.ts'

// Each starts a few processes, on a machine that others use.
vi.setConfig({ testTimeout: 120_000 })

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

interface Configured {
  readonly command?: string
  readonly args?: readonly string[]
  readonly url?: string
}

type Snippet = Partial<Record<'mcpServers' | 'servers', { readonly viewer: Configured }>>

test('[CLI-130] what the guide says for each client is sound, names the server viewer, and works once the paths are filled in', async () => {
  const guide = await readFile(`${ROOT}docs/guides/pair-with-an-agent.md`, 'utf8')
  const snippets = [...guide.matchAll(/```json\n(.*?)```/gs)].map(
    ([, text = '']) => JSON.parse(text) as Snippet,
  )
  const configured = snippets.map(({ mcpServers, servers }) => (mcpServers ?? servers)?.viewer)
  expect(configured.length).toBeGreaterThan(6)
  expect(configured.every((each) => each !== undefined)).toBe(true)
  const urls = configured.flatMap((each) => each?.url ?? [])
  expect(new Set(urls)).toEqual(new Set(['http://localhost:8797/mcp']))

  await using desk = await createDesk()
  const commands = configured
    .flatMap((each) => (each?.args === undefined ? [] : [[each.command ?? '', ...each.args]]))
    .map((words) => words.flatMap((word) => fillIn(word, desk.project)))
  expect(new Set(commands.map((words) => words.join(' '))).size).toBe(1)
  await using agent = await connectAgent('1.x', 'stdio', { ...desk.reach, command: commands[0] ?? [] })
  expect((await agent.listTools()).map(({ name }) => name)).toContain('av_screenshot_paste')
})

function fillIn(word: string, project: string): string[] {
  if (word === 'patchbay') return [process.execPath, `${ROOT}apps/cli/src/main.ts`]
  return [['.', '/path/to/project', '${workspaceFolder}'].includes(word) ? project : word]
}
