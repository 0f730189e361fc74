import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Paste, PASTE_NAME_PATTERN } from '@patchbay/contracts'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { type Answering, startModel } from './model.ts'
import { openPage } from './page.ts'
import { isPaired, picturesIn, png } from './pictures.ts'
import { createProject, type Face, startTestViewer } from './start.ts'

const PATIENT = { deadlineMs: 60_000 }

async function until(face: Face, id: string, state: Paste['state']): Promise<Paste> {
  let paste: Paste | undefined
  await waitUntil(
    `the paste is ${state}`,
    async () => {
      paste = await face.json<Paste>(`/api/pastes/${id}`)
      return paste.state === state
    },
    PATIENT,
  )
  if (paste === undefined) throw new Error('it is not there')
  return paste
}

test('[E-127][E-150] both files get the name that was found, and open pages are told of each step', async () => {
  await using model = await startModel(() => 'Red error in the console')
  await using viewer = await startTestViewer({ environment: model.environment })
  await using page = await openPage(viewer.url)
  const paste = await viewer.paste(png(30, 20), { query: { title: 'The error' } })
  expect(paste).toMatchObject({ state: 'naming', named_by: null })
  const named = await until(viewer, paste.id, 'named')
  expect(named).toMatchObject({
    name: 'red-error-in-the-console',
    named_by: 'model',
    can_undo: true,
    optimised: { file: 'red-error-in-the-console-30x20.png' },
    original: { file: 'red-error-in-the-console-30x20-original.png' },
  })
  expect(await picturesIn(viewer.project)).toEqual([named.original.file, named.optimised.file])
  await waitUntil('the page has heard both', () => page.pastes().length === 2, PATIENT)
  expect(page.pastes()).toEqual([paste, named])
})

test('[E-130] where no name is found the files keep theirs, and it is said why', async () => {
  await using model = await startModel(() => ({ status: 400 }))
  await using viewer = await startTestViewer({ environment: model.environment })
  const paste = await viewer.paste(png(30, 20))
  const unnamed = await until(viewer, paste.id, 'unnamed')
  expect(unnamed.optimised).toEqual(paste.optimised)
  expect(unnamed.naming_note).toMatch(/\w+ \w+/)
  expect(unnamed.naming_note).not.toContain('etc')
})

test('[E-128] a rename by a person ends the search, and the model changes nothing afterwards', async () => {
  await using model = await startModel(() => undefined)
  await using viewer = await startTestViewer({ environment: model.environment })
  const paste = await viewer.paste(png(30, 20))
  await waitUntil('the model is asked', () => model.asked() === 1, PATIENT)
  const answer = await viewer.ask(`/api/pastes/${paste.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'my-own-name' }),
  })
  expect(await answer.json()).toMatchObject({ state: 'named', named_by: 'person', name: 'my-own-name' })
  const undone = await viewer.json<Paste>(`/api/pastes/${paste.id}/undo`, { method: 'POST' })
  expect(undone).toMatchObject({ state: 'unnamed', optimised: { file: paste.optimised.file } })
  expect(await picturesIn(viewer.project)).toEqual([paste.original.file, paste.optimised.file].toSorted())
})

test('[E-128] a paste that is deleted is not named; one that is brought back is', async () => {
  const answers: string[] = []
  await using model = await startModel(() => answers.at(-1))
  await using viewer = await startTestViewer({ environment: model.environment })
  const paste = await viewer.paste(png(30, 20))
  await waitUntil('the model is asked', () => model.asked() === 1, PATIENT)
  expect((await viewer.ask(`/api/pastes/${paste.id}`, { method: 'DELETE' })).status).toBe(204)
  expect(await picturesIn(viewer.project)).toEqual([])
  answers.push('Back again')
  const back = await viewer.json<Paste>(`/api/pastes/${paste.id}/undo`, { method: 'POST' })
  expect(back.id).toBe(paste.id)
  expect((await until(viewer, paste.id, 'named')).optimised.file).toBe('back-again-30x20.png')
})

test('[E-129] naming that a stop interrupted is begun again at the next start', async () => {
  await using project = await createProject()
  await using silent = await startModel(() => undefined)
  const first = await startTestViewer({ project: project.path, environment: silent.environment })
  const paste = await first.paste(png(30, 20))
  await waitUntil('the model is asked', () => silent.asked() === 1, PATIENT)
  expect(await first.drain()).toBe(true)
  await first[Symbol.asyncDispose]()
  await using model = await startModel(() => 'Found at last')
  await using second = await startTestViewer({ project: project.path, environment: model.environment })
  expect((await until(second, paste.id, 'named')).name).toBe('found-at-last')
  expect(await picturesIn(project.path)).toEqual([
    'found-at-last-30x20-original.png',
    'found-at-last-30x20.png',
  ])
})

const HOSTILE = [
  '../../etc/passwd',
  'a\nb\r\n\u0000c',
  'long '.repeat(2_048),
  '🙂🙂🙂',
  '/absolute/path.png',
  'CON',
  '..',
  '',
  '{"name":"../x"}',
  '画面の写真',
  '.viewer',
  'sp-20260101-000000-000',
]
const MODELS: readonly (readonly [what: string, answering: Answering])[] = [
  ['answers', () => 'The same name'],
  ['is broken', () => ({ status: 500 })],
  ['answers every second time', (count) => (count % 2 === 0 ? { status: 503 } : 'Sometimes')],
  ['is hostile', (count) => HOSTILE[count % HOSTILE.length] ?? ''],
]

test.each(MODELS)(
  '[E-131] of 20 equal pictures at once each is a pair of its own when the model %s',
  async (_what, answering) => {
    await using model = await startModel(answering)
    await using viewer = await startTestViewer({ environment: model.environment })
    const grant = await viewer.grant()
    const picture = png(64, 48)
    const pastes = await Promise.all(Array.from({ length: 20 }, () => viewer.paste(picture, { grant })))
    await Promise.all(
      pastes.map(({ id }) =>
        waitUntil(
          'its naming is over',
          async () => (await viewer.json<Paste>(`/api/pastes/${id}`)).state !== 'naming',
          PATIENT,
        ),
      ),
    )
    const { items } = await viewer.json<{ items: Paste[] }>('/api/pastes')
    expect(new Set(items.map(({ id }) => id)).size).toBe(20)
    const files = await picturesIn(viewer.project)
    expect(files).toEqual(
      items.flatMap(({ optimised, original }) => [optimised.file, original.file]).toSorted(),
    )
    expect(new Set(files).size).toBe(40)
    expect(isPaired(files)).toBe(true)
    const sizes = await Promise.all(
      files.map(async (file) => (await readFile(join(viewer.project, 'screenshots/sp', file))).length),
    )
    expect(new Set(sizes).size).toBeLessThanOrEqual(2)
    for (const { name, optimised } of items) {
      expect(name).toMatch(new RegExp(PASTE_NAME_PATTERN))
      expect(optimised.file).toBe(`${name}-64x48.png`)
    }
  },
)

test('[E-131] a slow model keeps nobody waiting for the files, and a stop in the middle loses none', async () => {
  await using project = await createProject()
  await using model = await startModel(() => undefined)
  const viewer = await startTestViewer({ project: project.path, environment: model.environment })
  const grant = await viewer.grant()
  const pastes = await Promise.all(Array.from({ length: 20 }, () => viewer.paste(png(64, 48), { grant })))
  await waitUntil('the model is asked', () => model.asked() > 0, PATIENT)
  expect(new Set(pastes.map(({ optimised }) => optimised.file)).size).toBe(20)
  await viewer[Symbol.asyncDispose]()
  const files = await picturesIn(project.path)
  expect(files).toHaveLength(40)
  expect(isPaired(files)).toBe(true)
})

test('[E-137] what is not there cannot be changed, and nothing is undone twice', async () => {
  await using viewer = await startTestViewer()
  const none = `/api/pastes/${randomUUID()}`
  const rename = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"name":"a"}' }
  for (const [path, init] of [
    [none, {}],
    [none, rename],
    [none, { method: 'DELETE' }],
    [`${none}/undo`, { method: 'POST' }],
  ] as const)
    expect(await viewer.json(path, init)).toMatchObject({ status: 404, code: 'paste_not_found' })
  const paste = await viewer.paste(png(30, 20))
  const at = `/api/pastes/${paste.id}`
  expect(await viewer.json(`${at}/undo`, { method: 'POST' })).toMatchObject({ code: 'nothing_to_undo' })
  for (const name of ['../x', 'A b', '', '-a', 'a--b', 'x'.repeat(61), 'a/b', 'a\n'])
    expect(await viewer.json(at, { ...rename, body: JSON.stringify({ name }) })).toMatchObject({
      status: 400,
    })
  expect(await viewer.json(at, rename)).toMatchObject({ name: 'a', optimised: { file: 'a-30x20.png' } })
  const other = await viewer.paste(png(30, 20))
  expect(await viewer.json(`/api/pastes/${other.id}`, rename)).toMatchObject({ name: 'a-2' })
  expect(await viewer.json(`${at}/undo`, { method: 'POST' })).toMatchObject({ name: paste.name })
  expect(isPaired(await picturesIn(viewer.project))).toBe(true)
})
