import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PASTE_NAME_PATTERN, type Paste } from '@patchbay/contracts/viewer'
import { deepTest, depth } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answering, startModel, type TestModel } from './model.ts'
import { openPage } from './page.ts'
import { isPaired, picturesIn, picturesSince, png } from './pictures.ts'
import { createProject, type Face, startTestViewer, type TestViewer } from './start.ts'

const PATIENT = { deadlineMs: 60_000 }

// One for most: each starts a process for pictures of its own. The tests say what its model answers.
let answering: Answering = () => undefined
let model: TestModel
let viewer: TestViewer
beforeAll(async () => {
  model = await startModel((count) => answering(count))
  viewer = await startTestViewer({ environment: model.environment })
})
afterAll(async () => {
  await viewer[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
})

/** A model that says nothing from now on; answers once it was asked. */
function silence(): () => Promise<void> {
  answering = () => undefined
  const before = model.asked()
  return () => waitUntil('the model is asked', () => model.asked() > before, PATIENT)
}

/** Its old names may still be in the folder for a moment: they go once the new ones are told. */
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
  answering = () => 'Red error in the console'
  const before = await picturesIn(viewer.project)
  await using page = await openPage(viewer.url)
  const paste = await viewer.paste(png(30, 20), { query: { title: 'The error' } })
  expect(paste).toMatchObject({ state: 'naming', named_by: null })
  const named = await until(viewer, paste.id, 'named')
  expect(named).toMatchObject({
    name: 'red-error-in-the-console',
    named_by: 'model',
    can_undo: true,
    optimized: { file: 'red-error-in-the-console-30x20.png' },
    original: { file: 'red-error-in-the-console-30x20-original.png' },
  })
  await expect
    .poll(() => picturesSince(viewer.project, before))
    .toEqual([named.original.file, named.optimized.file])
  await waitUntil('the page has heard both', () => page.pastes().length === 2, PATIENT)
  expect(page.pastes()).toEqual([paste, named])
})

test('[E-175][E-177] C13: a picture that nobody can name is called by what is certain of it, and it is said why', async () => {
  answering = () => ({ status: 400 })
  const paste = await viewer.paste(png(300, 200))
  const named = await until(viewer, paste.id, 'named')
  expect(named).toMatchObject({ name: 'small-blue-blank-picture', named_by: 'picture' })
  expect(named.optimized.file).toBe('small-blue-blank-picture-300x200.png')
  expect(named.original.file).toBe('small-blue-blank-picture-300x200-original.png')
  expect(named.naming_note).toBe('The model’s service refused the question (400).')
  const titled = await viewer.paste(png(300, 200), { query: { title: 'Solder bridge at U1' } })
  expect(await until(viewer, titled.id, 'named')).toMatchObject({
    name: 'solder-bridge-at-u1',
    named_by: 'title',
    naming_note: null,
  })
})

test('[E-130] where the picture can no longer be read the files keep their names, and it is said why', async () => {
  const mayFail = Promise.withResolvers<void>()
  answering = () => ({ status: 400, after: mayFail.promise })
  const paste = await viewer.paste(png(30, 20))
  for (const { absolute_path } of [paste.optimized, paste.original])
    await writeFile(absolute_path, 'no picture')
  mayFail.resolve()
  const unnamed = await until(viewer, paste.id, 'unnamed')
  expect(unnamed.optimized).toEqual(paste.optimized)
  expect(unnamed.naming_note).toMatch(/\w+ \w+/)
  expect(unnamed.naming_note).not.toContain('etc')
})

test('[E-128] a rename by a person ends the search, and the model changes nothing afterwards', async () => {
  const before = await picturesIn(viewer.project)
  const isAsked = silence()
  const paste = await viewer.paste(png(30, 20))
  await isAsked()
  const answer = await viewer.ask(`/api/pastes/${paste.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'my-own-name' }),
  })
  expect(await answer.json()).toMatchObject({ state: 'named', named_by: 'person', name: 'my-own-name' })
  const undone = await viewer.json<Paste>(`/api/pastes/${paste.id}/undo`, { method: 'POST' })
  expect(undone).toMatchObject({ state: 'unnamed', optimized: { file: paste.optimized.file } })
  expect(await picturesSince(viewer.project, before)).toEqual(
    [paste.original.file, paste.optimized.file].toSorted(),
  )
})

test('[E-128] a paste that is deleted is not named; one that is brought back is', async () => {
  const before = await picturesIn(viewer.project)
  const isAsked = silence()
  const paste = await viewer.paste(png(30, 20))
  await isAsked()
  expect((await viewer.ask(`/api/pastes/${paste.id}`, { method: 'DELETE' })).status).toBe(204)
  expect(await picturesSince(viewer.project, before)).toEqual([])
  answering = () => 'Back again'
  const back = await viewer.json<Paste>(`/api/pastes/${paste.id}/undo`, { method: 'POST' })
  expect(back.id).toBe(paste.id)
  expect((await until(viewer, paste.id, 'named')).optimized.file).toBe('back-again-30x20.png')
})

test('[E-129] naming that a stop interrupted is begun again at the next start', async () => {
  await using project = await createProject()
  await using silent = await startModel(() => undefined)
  const first = await startTestViewer({ project: project.path, environment: silent.environment })
  const paste = await first.paste(png(30, 20))
  await waitUntil('the model is asked', () => silent.asked() === 1, PATIENT)
  expect(await first.drain()).toBe(true)
  await first[Symbol.asyncDispose]()
  await using found = await startModel(() => 'Found at last')
  await using second = await startTestViewer({ project: project.path, environment: found.environment })
  expect((await until(second, paste.id, 'named')).name).toBe('found-at-last')
  await expect
    .poll(() => picturesIn(project.path))
    .toEqual(['found-at-last-30x20-original.png', 'found-at-last-30x20.png'])
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
  ['is hostile', (count) => HOSTILE[count % HOSTILE.length] ?? ''],
]
const PICTURES = depth({ common: 12, deep: 20 })

async function sendAtOnce(answers: Answering): Promise<void> {
  answering = answers
  const before = await picturesIn(viewer.project)
  const grant = await viewer.grant()
  const picture = png(64, 48)
  const pastes = await Promise.all(Array.from({ length: PICTURES }, () => viewer.paste(picture, { grant })))
  const items = await Promise.all(
    pastes.map(async ({ id }) => {
      let paste: Paste | undefined
      await waitUntil(
        'its naming is over',
        async () => {
          paste = await viewer.json<Paste>(`/api/pastes/${id}`)
          return paste.state !== 'naming'
        },
        PATIENT,
      )
      if (paste === undefined) throw new Error('it is not there')
      return paste
    }),
  )
  expect(new Set(items.map(({ id }) => id)).size).toBe(PICTURES)
  const files = items.flatMap(({ optimized, original }) => [optimized.file, original.file]).toSorted()
  await expect.poll(() => picturesSince(viewer.project, before)).toEqual(files)
  expect(new Set(files).size).toBe(2 * PICTURES)
  expect(isPaired(files)).toBe(true)
  const sizes = await Promise.all(
    files.map(async (file) => (await readFile(join(viewer.project, 'screenshots/sp', file))).length),
  )
  expect(new Set(sizes).size).toBeLessThanOrEqual(2)
  for (const { name, optimized } of items) {
    expect(name).toMatch(new RegExp(PASTE_NAME_PATTERN))
    expect(optimized.file).toBe(`${name}-64x48.png`)
  }
}

test.each(MODELS)(
  '[E-131] of many equal pictures at once each is a pair of its own when the model %s',
  async (_what, answers) => {
    await sendAtOnce(answers)
    expect(model.asked()).toBeGreaterThan(0)
  },
)

// It is asked again and again, ever more slowly.
const FAILING: readonly (readonly [what: string, answering: Answering])[] = [
  ['is broken', () => ({ status: 500 })],
  ['answers every second time', (count) => (count % 2 === 0 ? { status: 503 } : 'Sometimes')],
]

deepTest.each(FAILING)(
  '[E-131] of many equal pictures at once each is a pair of its own when the model %s',
  async (_what, answers) => await sendAtOnce(answers),
)

deepTest(
  '[E-131] a slow model keeps nobody waiting for the files, and a stop in the middle loses none',
  async () => {
    await using project = await createProject()
    await using silent = await startModel(() => undefined)
    const stopped = await startTestViewer({ project: project.path, environment: silent.environment })
    const grant = await stopped.grant()
    const pastes = await Promise.all(
      Array.from({ length: PICTURES }, () => stopped.paste(png(64, 48), { grant })),
    )
    await waitUntil('the model is asked', () => silent.asked() > 0, PATIENT)
    expect(new Set(pastes.map(({ optimized }) => optimized.file)).size).toBe(PICTURES)
    await stopped[Symbol.asyncDispose]()
    const files = await picturesIn(project.path)
    expect(files).toHaveLength(2 * PICTURES)
    expect(isPaired(files)).toBe(true)
  },
)

test('[E-137] what is not there cannot be changed, and nothing is undone twice', async () => {
  await using unnaming = await startTestViewer()
  const none = `/api/pastes/${randomUUID()}`
  const rename = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body: '{"name":"a"}' }
  for (const [path, init] of [
    [none, {}],
    [none, rename],
    [none, { method: 'DELETE' }],
    [`${none}/undo`, { method: 'POST' }],
  ] as const)
    expect(await unnaming.json(path, init)).toMatchObject({ status: 404, code: 'paste_not_found' })
  const paste = await unnaming.paste(png(30, 20))
  const at = `/api/pastes/${paste.id}`
  expect(await unnaming.json(`${at}/undo`, { method: 'POST' })).toMatchObject({ code: 'nothing_to_undo' })
  for (const name of ['../x', 'A b', '', '-a', 'a--b', 'x'.repeat(61), 'a/b', 'a\n'])
    expect(await unnaming.json(at, { ...rename, body: JSON.stringify({ name }) })).toMatchObject({
      status: 400,
    })
  expect(await unnaming.json(at, rename)).toMatchObject({ name: 'a', optimized: { file: 'a-30x20.png' } })
  const other = await unnaming.paste(png(30, 20))
  expect(await unnaming.json(`/api/pastes/${other.id}`, rename)).toMatchObject({ name: 'a-2' })
  expect(await unnaming.json(`${at}/undo`, { method: 'POST' })).toMatchObject({ name: paste.name })
  expect(isPaired(await picturesIn(unnaming.project))).toBe(true)
})
