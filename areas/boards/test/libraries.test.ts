import type { BoardLibrary } from '@patchbay/contracts/boards'
import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import { SettableClock } from '@patchbay/testkit/clock'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { nicknamesFor } from '../src/library.ts'
import { lampFiles } from './lamp-library.ts'
import { type BoardsCaller, codeOf, startBoards, success } from './start.ts'

const LAMPS = { identifier: 'com.example.lamps', version: '1.0', files: lampFiles() }
const PROJECT = { 'a/a.kicad_sch': '(kicad_sch)', 'a/a.kicad_pcb': '(kicad_pcb)' }

async function startWithProject() {
  const clock = new SettableClock()
  const node = await startBoards({ clock })
  await node.make('ada/board', PROJECT)
  await node.make('bob/other', PROJECT)
  await node.announce()
  return Object.assign(node, { clock })
}

const put = (boards: BoardsCaller, identifier = LAMPS.identifier, body: object = {}) =>
  boards.ask('PUT', `/libraries/${identifier}`, body)

const list = async (boards: BoardsCaller) => {
  const answer = await success(await boards.ask('GET', '/libraries'))
  return ((await answer.json()) as { items: BoardLibrary[] }).items
}

test('[H-82] a library is added at a version, which stays until another is asked for, also when the package goes', async () => {
  await using node = await startWithProject()
  const boards = node.boards('ada/board')
  const { sha256 } = await node.publish(LAMPS)
  expect(await list(boards)).toEqual([])
  const added = await success(await put(boards))
  expect(added.status).toBe(201)
  const library = (await added.json()) as BoardLibrary
  expect(library).toMatchObject({
    identifier: 'com.example.lamps',
    version: '1.0',
    sha256,
    symbols: [{ nickname: 'PCM_Lamps' }],
    footprints: ['PCM_Lamps'],
    models: 1,
    addedBy: 'ada',
  })
  await node.publish({ ...LAMPS, version: '1.1' })
  expect(await list(boards)).toEqual([library])
  expect(await codeOf(put(boards, LAMPS.identifier, { version: '1.0' }))).toBe('200')
  expect((await list(boards))[0]?.version).toBe('1.0')
  expect(await codeOf(put(boards))).toBe('200')
  expect((await list(boards))[0]?.version).toBe('1.1')
  node.unpublish(LAMPS.identifier)
  expect(await codeOf(put(boards))).toBe('404 package_not_found')
  const [kept] = await list(boards)
  const symbols = await success(await fetch(node.url + (kept?.symbols[0]?.href ?? ''), { headers: ADA }))
  expect(await symbols.text()).toBe(LAMPS.files['symbols/Lamps.kicad_sym'])
  expect(symbols.headers.get('content-security-policy')).toContain('sandbox')
  expect(await codeOf(boards.ask('DELETE', '/libraries/com.example.lamps'))).toBe('204')
  expect(await codeOf(boards.ask('DELETE', '/libraries/com.example.lamps'))).toBe(
    '404 board_library_not_found',
  )
  expect(await list(boards)).toEqual([])
})

const ADA = { 'x-test-person': 'ada' }

test('[H-82] whoever may only read sees libraries and adds none; nobody reads those of another workspace', async () => {
  await using node = await startWithProject()
  await node.publish(LAMPS)
  await success(await put(node.boards('ada/board')))
  const reader = node.boards('ada/board', 'reader')
  const [library] = await list(reader)
  expect(library?.identifier).toBe('com.example.lamps')
  expect(await codeOf(put(reader))).toBe('403 not_permitted')
  expect(await codeOf(reader.ask('DELETE', '/libraries/com.example.lamps'))).toBe('403 not_permitted')
  expect(await codeOf(node.boards('ada/board', 'stranger').ask('GET', '/libraries'))).toBe(
    '403 not_permitted',
  )
  const elsewhere = (library?.symbols[0]?.href ?? '').replace('ada/board', 'bob/other')
  expect(await codeOf(fetch(node.url + elsewhere, { headers: ADA }))).toBe('404 board_library_not_found')
})

test('[H-82] what is no library, and more than a workspace may have, is refused', async () => {
  await using node = await startWithProject()
  const boards = node.boards('ada/board')
  await node.publish({ ...LAMPS, identifier: 'com.example.plugin', type: 'plugin' })
  await node.publish({ ...LAMPS, identifier: 'com.example.empty', files: { 'resources/a.txt': 'nothing' } })
  expect(await codeOf(put(boards, 'com.example.plugin'))).toBe('422 board_library_refused')
  expect(await codeOf(put(boards, 'com.example.empty'))).toBe('422 board_library_refused')
  await node.publish(LAMPS)
  await success(await put(boards))
  const fill = (count: number, bytes: number) => sql`
    insert into board_libraries select owner, repo, 'com.example.n' || number, name, version, sha256, ${bytes}, symbols,
      footprints, models, added_by, added_at from board_libraries, generate_series(1, ${count}) as number
    where identifier = ${LAMPS.identifier}`
  await fill(BOARD_LIMITS.libraries - 1, 1).execute(node.db)
  await node.publish({ ...LAMPS, identifier: 'com.example.more' })
  expect(await codeOf(put(boards, 'com.example.more'))).toBe('409 limit_reached')
  expect(await codeOf(put(boards))).toBe('200')
  await sql`delete from board_libraries where identifier <> ${LAMPS.identifier}`.execute(node.db)
  await fill(1, BOARD_LIMITS.librariesBytes).execute(node.db)
  expect(await codeOf(put(boards, 'com.example.more'))).toBe('409 limit_reached')
})

test('[H-83] a hostile archive is refused with the reason, and nothing of it stays', async () => {
  await using node = await startWithProject()
  const boards = node.boards('ada/board')
  await node.publish({ ...LAMPS, files: { ...LAMPS.files, 'symbols/CON.kicad_sym': 'device' } })
  const refused = await put(boards)
  expect(refused.status).toBe(422)
  const problem = (await refused.json()) as { code: string; detail: string }
  expect(problem.code).toBe('board_library_refused')
  expect(problem.detail).toContain('CON.kicad_sym')
  expect((await node.libraries.list({ limit: 10 })).objects).toEqual([])
  expect(await list(boards)).toEqual([])
})

test('[H-84] libraries are called as KiCad calls them: PCM_ and the file, with a number where the name is taken', async () => {
  await using node = await startWithProject()
  const boards = node.boards('ada/board')
  await node.publish(LAMPS)
  await node.publish({ ...LAMPS, identifier: 'com.another.lamps' })
  await success(await put(boards))
  await success(await put(boards, 'com.another.lamps'))
  const names = async () =>
    Object.fromEntries(
      (await list(boards)).map(({ identifier, symbols, footprints }) => [
        identifier,
        [...symbols.map(({ nickname }) => nickname), ...footprints],
      ]),
    )
  const expected = {
    'com.example.lamps': ['PCM_Lamps', 'PCM_Lamps'],
    'com.another.lamps': ['PCM_Lamps_1', 'PCM_Lamps_1'],
  }
  expect(await names()).toEqual(expected)
  // Another version changes no name: schematics say it.
  await success(await boards.ask('DELETE', '/libraries/com.example.lamps'))
  await node.publish({ ...LAMPS, identifier: 'com.another.lamps', version: '2.0' })
  await success(await put(boards, 'com.another.lamps'))
  expect(await names()).toEqual({ 'com.another.lamps': ['PCM_Lamps_1', 'PCM_Lamps_1'] })
})

test('[H-84] a new file gets a free name beside those that stay', () => {
  const before = [{ path: 'symbols/b/X.kicad_sym', nickname: 'PCM_X' }]
  const paths = ['symbols/a/X.kicad_sym', 'symbols/b/X.kicad_sym']
  expect(nicknamesFor(paths, before, new Set(['PCM_X_1']))).toEqual([
    { path: 'symbols/a/X.kicad_sym', nickname: 'PCM_X_2' },
    { path: 'symbols/b/X.kicad_sym', nickname: 'PCM_X' },
  ])
})

test('[H-85] a job is another one with other libraries, where KiCad looks into them, and the same in all workspaces', async () => {
  await using node = await startWithProject()
  const boards = node.boards('ada/board')
  const erc = { operation: 'erc', path: 'a/a.kicad_sch' } as const
  const sheets = { operation: 'sheets', path: 'a/a.kicad_sch' } as const
  const before = { erc: (await boards.start(erc)).job.id, sheets: (await boards.start(sheets)).job.id }
  await node.publish(LAMPS)
  await success(await put(boards))
  const withLibrary = (await boards.start(erc)).job.id
  expect(withLibrary).not.toBe(before.erc)
  expect((await boards.start(sheets)).job.id).toBe(before.sheets)
  const others = node.boards('bob/other')
  expect((await others.start(erc)).job.id).toBe(before.erc)
  await success(await put(others))
  expect(await others.start(erc)).toMatchObject({ status: 200, job: { id: withLibrary } })
  await node.publish({ ...LAMPS, version: '2.0', files: { ...LAMPS.files, 'resources/a.txt': 'new' } })
  await success(await put(others))
  expect([before.erc, withLibrary]).not.toContain((await others.start(erc)).job.id)
  await success(await boards.ask('DELETE', '/libraries/com.example.lamps'))
  expect((await boards.start(erc)).job.id).toBe(before.erc)
})

test('[H-87] a file whose name means something in a table of libraries is none', async () => {
  await using node = await startWithProject()
  const symbols = LAMPS.files['symbols/Lamps.kicad_sym'] ?? ''
  const names = ['${HOME}', "it's", 'a)(b', 'a%20b', 'fine']
  const files = Object.fromEntries(names.map((name) => [`symbols/${name}.kicad_sym`, symbols + name]))
  await node.publish({ ...LAMPS, files })
  await success(await put(node.boards('ada/board')))
  const [library] = await list(node.boards('ada/board'))
  expect(library?.symbols.map(({ nickname }) => nickname)).toEqual(['PCM_fine'])
})

test('[H-89] libraries go with their workspace, and their bytes a day after nobody has them', async () => {
  await using node = await startWithProject()
  await node.publish(LAMPS)
  for (const workspace of ['ada/board', 'bob/other']) await success(await put(node.boards(workspace)))
  const kept = async () => (await node.libraries.list({ limit: 10 })).objects.length
  expect(await kept()).toBe(2)
  await node.remove('ada/board')
  // The object store has a clock of its own.
  node.clock.advance(Date.now() - node.clock.now().getTime() + 25 * 3_600_000)
  await node.collection.sweep()
  expect(await kept()).toBe(2)
  const [library] = await list(node.boards('bob/other'))
  await success(await node.boards('bob/other').ask('DELETE', '/libraries/com.example.lamps'))
  await node.collection.sweep()
  expect(await kept()).toBe(0)
  // They are stored again for whoever adds it again.
  await success(await put(node.boards('bob/other')))
  const href = library?.symbols[0]?.href ?? ''
  const text = await (await success(await fetch(node.url + href, { headers: ADA }))).text()
  expect(text).toBe(LAMPS.files['symbols/Lamps.kicad_sym'])
})
