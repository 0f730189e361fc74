import { randomBytes } from 'node:crypto'
import type { ContentChange, EditedDocument } from '@patchbay/contracts/content'
import type { Page } from '@patchbay/testkit/chromium'
import { depth } from '@patchbay/testkit/depth'
import { expect, test } from 'vitest'
import { makeAccount, openSession, pageHeaders } from '../installation/accounts.ts'
import { makeOrganization } from '../packages-pages/publishing.ts'
import { makeWorkspace, panelNamed } from '../workspace-pages/workspace.ts'
import { useNodes } from './nodes.ts'

const EDITS = depth({ common: 12, deep: 1_000 })
const PATIENCE = { timeout: depth({ common: 180_000, deep: 30 * 60_000 }) }
const soon = { timeout: depth({ common: 60_000, deep: 180_000 }), interval: 200 }
const FILE = 'notes.txt'
const START = 'Notes of the day, long enough to type in the middle of them.\n'

const bench = useNodes()
const editor = (page: Page) =>
  panelNamed(page, 'Code editor').getByRole('textbox', { name: FILE, exact: true })

/** Everything that is typed is told apart by nobody but its letters: of each, so many must be there at the end. */
function counted(text: string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const letter of text) counts[letter] = (counts[letter] ?? 0) + 1
  return counts
}

/** Types one letter at a time, here and there. */
async function typeAround(page: Page, letter: string, onEdit: (count: number) => void): Promise<void> {
  await editor(page).click()
  for (let count = 1; count <= EDITS; count += 1) {
    const key = ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'ArrowUp', 'ArrowDown'][(count * 7) % 6] ?? 'End'
    await page.keyboard.press(key)
    await page.keyboard.insertText(letter)
    onEdit(count)
  }
}

test(
  '[J-101] two people and an agent edit one file on two nodes while one is killed: all have the same, and no character is lost',
  PATIENCE,
  async () => {
    const { nodes } = bench
    const word = randomBytes(3).toString('hex')
    const ada = await makeAccount(nodes, `ada-${word}`)
    const bob = await makeAccount(nodes, `bob-${word}`)
    const organization = `labs-${word}`
    await makeOrganization(nodes, organization, [
      { account: ada, role: 'owner' },
      { account: bob, role: 'maintainer' },
    ])
    const at = (url: string) => makeWorkspace({ site: { ...nodes, url } }, ada, organization, 'lamp')
    const atOne = await at(nodes.one.url)
    await atOne.write(FILE, START)
    await atOne.add('code-editor', { initialState: { files: [FILE], active: FILE } })
    const shared = { owner: ada, path: atOne.path, atOne, atOther: atOne }

    const headers = pageHeaders(await openSession(nodes, ada), nodes.url)
    const made = await fetch(`${nodes.url}/auth/keys`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'Agent', scopes: [`files:write:${organization}/lamp`] }),
    })
    const { key } = (await made.json()) as { key: string }
    const files = `/api/workspaces/editor/${organization}/lamp/files`
    const ask = (path: string, json?: unknown) =>
      fetch(nodes.other.url + files + path, {
        method: json === undefined ? 'GET' : 'POST',
        headers: { 'x-api-key': key, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      })
    const read = async () => (await (await ask(`/document?path=${FILE}`)).json()) as EditedDocument

    await using victim = await nodes.startNode()
    await using first = await bench.open(shared, { node: nodes.one })
    await using second = await bench.open({ ...shared, owner: bob }, { node: victim })
    for (const { page } of [first, second]) await editor(page).getByText('Notes of the day').waitFor()

    /** Replaces what it has just read, with a letter in the middle, where nobody else has been meanwhile. */
    const edit = async (): Promise<void> => {
      for (let count = 0; count < EDITS; ) {
        const { text } = await read()
        const from = (count * 13) % Math.max(1, text.length - 30)
        const find = text.slice(from, from + 30)
        const replace = `${find.slice(0, 15)}c${find.slice(15)}`
        const answer = await ask('/edits', { path: FILE, edits: [{ find, replace }], reason: 'To help' })
        if (answer.ok) count += 1
        else if (((await answer.json()) as { code: string }).code !== 'text_not_unique')
          throw new Error(`the agent was refused: ${answer.status}`)
      }
    }
    await Promise.all([
      typeAround(first.page, 'a', () => {}),
      typeAround(second.page, 'b', (count) => {
        if (count === EDITS / 2) victim.child.kill('SIGKILL')
      }),
      edit(),
    ])

    const expected = counted(START + 'a'.repeat(EDITS) + 'b'.repeat(EDITS) + 'c'.repeat(EDITS))
    await expect.poll(async () => counted((await read()).text), soon).toEqual(expected)
    const { text, version } = await read()
    expect(version).toBe(3 * EDITS)
    for (const { page } of [first, second]) {
      await expect
        .poll(() => panelNamed(page, 'Code editor').getByRole('status').innerText(), soon)
        .toBe('Saved')
      await page.keyboard.press('Control+Home')
      await expect.poll(() => shownText(page), soon).toBe(text)
    }
    expect(await atOne.read(FILE)).toBe(text)
    const history = (await (await ask('/changes?limit=1000')).json()) as { items: ContentChange[] }
    const names = new Set(history.items.flatMap(({ by, editors = [by] }) => editors.map(({ name }) => name)))
    expect([...names].toSorted()).toEqual([ada.handle, 'Agent', bob.handle].toSorted())
  },
)

/** What the editor has, also of lines that are longer than what it draws. */
async function shownText(page: Page): Promise<string> {
  const lines = await editor(page)
    .locator('.cm-line')
    .evaluateAll((elements) =>
      elements.map((element) => {
        const copy = element.cloneNode(true) as HTMLElement
        for (const caret of copy.querySelectorAll('.pb-caret')) caret.remove()
        return copy.textContent
      }),
    )
  return lines.join('\n')
}
