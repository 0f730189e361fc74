import type { ContentChange, EditedDocument } from '@patchbay/contracts/content'
import { DOCUMENT_LIMITS } from '@patchbay/contracts/limits'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import { openEditor } from './editor.ts'
import { codeOf, type FilesCaller, startContent, startContentNode, success } from './start.ts'

const WAIT = { timeout: 20_000, interval: 20 }
const FILE = 'notes.txt'

async function documentOf(files: FilesCaller, path = FILE): Promise<EditedDocument> {
  return await (await success(await files.ask('GET', `/document?path=${encodeURIComponent(path)}`))).json()
}

const historyOf = async (files: FilesCaller) =>
  (
    (await (await success(await files.ask('GET', `/changes?path=${FILE}`))).json()) as {
      items: ContentChange[]
    }
  ).items

deepTest('[F-26] a text file is opened with its text, and what is no text is not', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  await success(await files.put(FILE, 'one\ntwo\n'))
  const opened = await documentOf(files)
  expect(opened).toMatchObject({ version: 0, savedVersion: 0, text: 'one\ntwo\n' })
  expect(await documentOf(node.files('ada/board', 'reader'))).toEqual(opened)
  await success(
    await files.ask('PUT', '/content?path=picture.png', { body: new Uint8Array([0x89, 0x50, 0xff, 0]) }),
  )
  const long = 'x'.repeat(DOCUMENT_LIMITS.characters + 1)
  await success(await files.put('long.txt', long))
  for (const path of ['picture.png', 'long.txt'])
    expect(await codeOf(files.ask('GET', `/document?path=${path}`))).toBe('422 file_not_text')
  expect(await codeOf(files.ask('GET', '/document?path=none.txt'))).toBe('404 file_not_found')
})

test('[F-26] a document of another workspace cannot be opened or edited', async () => {
  await using node = await startContent()
  await node.make('bob/other')
  await success(await node.files('ada/board').put(FILE, 'private'))
  await success(await node.files('bob/other').put(FILE, 'mine'))
  const { document } = await documentOf(node.files('ada/board'))
  const bob = await openEditor(node, FILE, { handle: 'bob', workspace: 'bob/other' })
  await bob.say({ type: 'open', document, version: 0 })
  await bob.say({ type: 'push', document, version: 0, clientId: 'bob', edits: [[7, [0, '!']]] })
  expect(bob.news.filter((news) => news.document === document)).toEqual([
    { type: 'reopen', document },
    { type: 'reopen', document },
  ])
  expect((await documentOf(node.files('ada/board'))).text).toBe('private')
})

deepTest(
  '[F-27] [F-34] edits at once are all kept, and everybody has them in one order, on both nodes',
  async () => {
    await using node = await startContent()
    await using other = await startContentNode({
      databaseUrl: node.databaseUrl,
      folder: node.folder,
      bus: node.bus,
    })
    await success(await node.files('ada/board').put(FILE, 'start\n'))
    const editors = await Promise.all(
      ['ada', 'bob', 'cleo'].map((handle, index) => openEditor(index === 1 ? other : node, FILE, { handle })),
    )
    const rounds = 40
    await Promise.all(
      editors.map(async (editor, index) => {
        for (let round = 0; round < rounds; round += 1) {
          const at = (round * 7 + index * 3) % (editor.text().length + 1)
          await editor.change(at, at, `<${index}.${round}>`)
        }
      }),
    )
    await vi.waitFor(async () => {
      for (const editor of editors) {
        await editor.push()
        expect(editor.version()).toBe(3 * rounds)
      }
    }, WAIT)
    const texts = editors.map((editor) => editor.text())
    expect(new Set(texts).size).toBe(1)
    const typed = editors.flatMap((_, index) =>
      Array.from({ length: rounds }, (__, round) => `<${index}.${round}>`),
    )
    expect(texts[0]).toHaveLength('start\n'.length + typed.join('').length)
    expect((await documentOf(node.files('ada/board'))).text).toBe(texts[0])
  },
)

test('[F-27] edits that are sent again count once', async () => {
  await using node = await startContent()
  await success(await node.files('ada/board').put(FILE, 'ab'))
  const { document } = await documentOf(node.files('ada/board'))
  const ada = await openEditor(node, FILE)
  const bob = await openEditor(node, FILE, { handle: 'bob' })
  const push = {
    type: 'push',
    document,
    version: 0,
    clientId: 'again',
    edits: [
      [2, [0, 'c']],
      [3, [0, 'd']],
    ],
  }
  await ada.say(push)
  await bob.change(0, 0, '>')
  await ada.say(push)
  await ada.say({ ...push, edits: [...push.edits, [4, [0, 'e']]] })
  await vi.waitFor(() => expect(bob.version()).toBe(4), WAIT)
  expect((await documentOf(node.files('ada/board'))).text).toBe('>abcde')
})

test('[W-861] exact edits are taken on their version alone, and count once when they are sent again', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  await success(await files.put(FILE, 'abc'))
  const [ada, bob] = [await openEditor(node, FILE), await openEditor(node, FILE, { handle: 'bob' })]
  const exact = { type: 'push', version: 0, clientId: 'sheet', edits: [[3, [0, 'd']]], isExact: true }
  await ada.say(exact)
  await vi.waitFor(() => expect([ada.text(), bob.text()]).toEqual(['abcd', 'abcd']), WAIT)
  await ada.say(exact)
  await bob.change(0, 0, '>')
  await vi.waitFor(() => expect(ada.text()).toBe('>abcd'), WAIT)
  await ada.say({ ...exact, version: 1, edits: [[4, [0, 'e']]] })
  await vi.waitFor(
    () => expect(ada.news.at(-1)).toMatchObject({ type: 'refused', code: 'file_changed' }),
    WAIT,
  )
  await ada.say({ ...exact, version: 2, edits: [[5, [0, 'e']]] })
  await vi.waitFor(() => expect([ada.text(), bob.text()]).toEqual(['>abcde', '>abcde']), WAIT)
})

test('[F-28] edits that do not fit, or of somebody who may only look, change nothing', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  await success(await files.put(FILE, 'abc'))
  const { document } = await documentOf(files)
  const ada = await openEditor(node, FILE)
  const reader = await openEditor(node, FILE, { handle: 'reader', mayChange: false })
  const hostile: readonly unknown[] = [
    [2, [0, 'x']],
    [4],
    [-1, [4, 'x']],
    [1.5, [1.5, 'x']],
    [3, [0, 'line\nbreak']],
    [3, [0, 'zero\0']],
    [3, [0, '\uD800']],
    [3, [0, 1]],
    [[3, 'x'.repeat(DOCUMENT_LIMITS.editCharacters + 1)]],
    [3, [0, { toString: 'x' }]],
    [[1e300]],
    ['x'],
    [null],
  ]
  for (const edit of hostile)
    await ada.say({ type: 'push', document, version: 0, clientId: 'hostile', edits: [edit] })
  expect(ada.news.filter(({ type }) => type === 'refused')).toHaveLength(hostile.length)
  expect(ada.news.map((news) => (news.type === 'refused' ? news.code : ''))).not.toContain('internal_error')
  await reader.change(0, 0, 'x')
  expect(reader.news).toContainEqual(expect.objectContaining({ type: 'refused', code: 'not_permitted' }))
  // Messages that are none are not answered at all.
  for (const message of [{ type: 'push' }, { type: 'cursor', anchor: -1, head: 0 }, { type: 'other' }])
    await ada.say(message)
  const line = 'x'.repeat(DOCUMENT_LIMITS.editCharacters)
  const lines = Array.from({ length: 11 }, () => line)
  await ada.say({ type: 'push', document, version: 0, clientId: 'long', edits: [[[3, ...lines]]] })
  expect(ada.news).toContainEqual(expect.objectContaining({ type: 'refused', code: 'limit_reached' }))
  expect(await documentOf(files)).toMatchObject({ version: 0, text: 'abc' })
})

test('[F-29] [F-34] edits become one version of the file that names everybody', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  await success(await files.put(FILE, 'x'))
  const ada = await openEditor(node, FILE)
  const bob = await openEditor(node, FILE, { handle: 'bob' })
  await ada.change(1, 1, 'a')
  await vi.waitFor(() => expect(bob.version()).toBe(1), WAIT)
  await bob.change(2, 2, 'b')
  await vi.waitFor(() => {
    expect(ada.news).toContainEqual({ type: 'saved', document: ada.document, version: 2 })
    expect(bob.news).toContainEqual({ type: 'saved', document: ada.document, version: 2 })
  }, WAIT)
  expect(await files.read(FILE)).toBe('xab')
  const [last, first] = await historyOf(files)
  expect(last?.by).toMatchObject({ kind: 'browser', handle: 'bob' })
  expect(last?.editors?.map(({ handle }) => handle)).toEqual(['bob', 'ada'])
  expect(first).not.toHaveProperty('editors')
  expect(node.noted.filter(({ action }) => action === `files edit ${FILE}`).map(({ by }) => by)).toEqual([
    'bob',
    'ada',
  ])
})

deepTest('[F-29] what a node did not save, another one saves', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  await success(await files.put(FILE, 'x'))
  const ada = await openEditor(node, FILE)
  // As a node that ends before it could save what it has just taken.
  await node.editing.stop()
  await ada.change(1, 1, 'y')
  expect(await documentOf(files)).toMatchObject({ version: 1, savedVersion: 0 })
  await sql`update content_documents set changed_at = changed_at - interval '1 minute'`.execute(node.db)
  await using other = await startContentNode({ databaseUrl: node.databaseUrl, folder: node.folder })
  other.editing.start()
  await vi.waitFor(async () => expect(await files.read(FILE)).toBe('xy'), WAIT)
})

deepTest('[F-30] what is written by other means is merged with what people edit', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  const lines = Array.from({ length: 30 }, (_, line) => `line ${line}`)
  await success(await files.put(FILE, lines.join('\n')))
  const ada = await openEditor(node, FILE)
  const written = lines.with(2, 'LINE 2').toSpliced(20, 1).join('\n')
  await ada.change(0, 0, 'typed ')
  await success(await files.put(FILE, written, '*'))
  ada.type(ada.text().length, ada.text().length, '\nthe end')
  await ada.push()
  const expected = `typed ${written}\nthe end`
  await vi.waitFor(async () => {
    expect(ada.text()).toBe(expected)
    expect(await files.read(FILE)).toBe(expected)
  }, WAIT)
  const edits = ada.news.flatMap((news) => (news.type === 'edits' ? news.edits : []))
  expect(edits.map(({ by }) => by.kind)).toContain('api_key')
  // And back to what it was, with the same document.
  await success(await files.change([{ op: 'restore', path: FILE, revision: 1 }]))
  await vi.waitFor(() => expect(ada.text()).toBe(lines.join('\n')), WAIT)
})

deepTest('[F-30] those who type and those who write whole files lose nothing of each other', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  const lines = Array.from({ length: 100 }, (_, line) => `${line}:`)
  await success(await files.put(FILE, lines.join('\n')))
  const ada = await openEditor(node, FILE)
  const write = async (line: number): Promise<void> => {
    for (;;) {
      const read = await success(await files.ask('GET', `/content?path=${FILE}`))
      const now = (await read.text()).replace(new RegExp(`^${line}:.*$`, 'm'), `${line}: written`)
      const answer = await files.put(FILE, now, read.headers.get('etag') ?? '')
      if (answer.ok) return
      expect(await codeOf(answer)).toBe('412 file_changed')
    }
  }
  const writing = Promise.all(Array.from({ length: 10 }, (_, index) => write(index * 2)))
  for (let line = 1; line < 80; line += 2) {
    const at = ada.text().indexOf(`\n${line}:`) + `\n${line}:`.length
    await ada.change(at, at, ' typed')
  }
  await writing
  await vi.waitFor(async () => {
    await ada.push()
    expect(await files.read(FILE)).toBe(ada.text())
    expect((await documentOf(files)).version).toBe(ada.version())
  }, WAIT)
  const ending = ada.text().split('\n')
  expect(ending.filter((line) => line.endsWith(': written'))).toHaveLength(10)
  expect(ending.filter((line) => line.endsWith(': typed'))).toHaveLength(40)
})

test('[F-31] a file that is moved or deleted has its edits in its history, and its editors know', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  await success(await files.put(FILE, 'x'))
  const ada = await openEditor(node, FILE)
  await ada.change(1, 1, 'y')
  await success(await files.change([{ op: 'move', path: FILE, to: 'moved.txt' }]))
  await vi.waitFor(
    () => expect(ada.news).toContainEqual({ type: 'gone', document: ada.document, movedTo: 'moved.txt' }),
    WAIT,
  )
  expect(await files.tree()).toEqual({ 'moved.txt': 'xy' })
  const bob = await openEditor(node, 'moved.txt', { handle: 'bob' })
  await bob.change(2, 2, 'z')
  const { revision } = await files.list()
  await success(await files.ask('DELETE', '/content?path=moved.txt', { headers: { 'if-match': '*' } }))
  await vi.waitFor(
    () => expect(bob.news).toContainEqual({ type: 'gone', document: bob.document, movedTo: null }),
    WAIT,
  )
  await bob.change(0, 0, 'late')
  expect(bob.news.at(-1)).toEqual({ type: 'reopen', document: bob.document })
  expect(await files.tree()).toEqual({})
  await success(await files.change([{ op: 'restore', path: 'moved.txt', revision: revision + 1 }]))
  expect(await files.tree()).toEqual({ 'moved.txt': 'xyz' })
})

test('[F-46] whoever asks for a file that was moved is told where it is, and of a deleted one only that', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  const whereIs = async (path: string) => {
    const answer = await files.ask('GET', `/document?path=${encodeURIComponent(path)}`)
    const { code, movedTo } = (await answer.json()) as { code: string; movedTo?: string }
    return { status: answer.status, code, movedTo }
  }
  const movedTo = (path?: string) => ({ status: 404, code: 'file_not_found', movedTo: path })
  await success(await files.put('docs/notes.txt', 'x'))
  await success(await files.change([{ op: 'move', path: 'docs', to: 'texts' }]))
  expect(await whereIs('docs/notes.txt')).toEqual(movedTo('texts/notes.txt'))
  await success(await files.change([{ op: 'move', path: 'texts/notes.txt', to: FILE }]))
  expect(await whereIs('docs/notes.txt')).toEqual(movedTo(FILE))
  expect(await whereIs('texts/notes.txt')).toEqual(movedTo(FILE))
  // Another file took the first name and was deleted: what was there last went nowhere.
  await success(await files.put('docs/notes.txt', 'other'))
  await success(await files.change([{ op: 'delete', path: 'docs/notes.txt' }]))
  expect(await whereIs('docs/notes.txt')).toEqual(movedTo())
  await success(await files.change([{ op: 'delete', path: FILE }]))
  expect(await whereIs('texts/notes.txt')).toEqual(movedTo())
  expect(await whereIs('never.txt')).toEqual(movedTo())
})

test('[F-46] edits for a document that went while its page was away make the page read it again', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  await success(await files.put(FILE, 'x'))
  const ada = await openEditor(node, FILE)
  ada.leave()
  await success(await files.change([{ op: 'move', path: FILE, to: 'moved.txt' }]))
  await ada.change(1, 1, 'y')
  expect(ada.news.at(-1)).toEqual({ type: 'reopen', document: ada.document })
})

test('[F-32] line ends and the byte order mark stay', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  await success(await files.put(FILE, '\uFEFFone\r\ntwo\r\n'))
  const ada = await openEditor(node, FILE)
  expect(ada.text()).toBe('\uFEFFone\ntwo\n')
  await ada.change(9, 9, 'three\n')
  const read = async () =>
    Buffer.from(await (await files.ask('GET', `/content?path=${FILE}`)).arrayBuffer()).toString()
  await vi.waitFor(async () => expect(await read()).toBe('\uFEFFone\r\ntwo\r\nthree\r\n'), WAIT)
})

test('[F-33] parts of a text are replaced where they are exactly once', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  await success(await files.put(FILE, 'led = 12\nbaud = 9600\nled2 = 12\n'))
  const ada = await openEditor(node, FILE)
  await ada.change(0, 0, '# pins\n')
  const edit = (edits: object[], more = {}) =>
    files.ask('POST', '/edits', { json: { path: FILE, edits, ...more } })
  expect(await codeOf(edit([{ find: '12', replace: '13' }]))).toBe('409 text_not_unique')
  expect(await codeOf(edit([{ find: 'none', replace: '' }]))).toBe('409 text_not_unique')
  expect(
    await codeOf(
      edit([
        { find: '9600', replace: '115200' },
        { find: 'none', replace: '' },
      ]),
    ),
  ).toBe('409 text_not_unique')
  const answer = await success(
    await edit(
      [
        { find: 'led = 12', replace: 'led = 25' },
        { find: 'baud = 9600\r\nled2', replace: 'baud = 115200\nled3' },
      ],
      { reason: 'other board' },
    ),
  )
  expect(await answer.json()).toEqual({ document: ada.document, version: 2 })
  const expected = '# pins\nled = 25\nbaud = 115200\nled3 = 12\n'
  await vi.waitFor(async () => {
    expect(ada.text()).toBe(expected)
    expect(await files.read(FILE)).toBe(expected)
  }, WAIT)
  expect(node.noted).toContainEqual({ by: 'ada', action: `files edit ${FILE}`, reason: 'other board' })
  expect(
    await codeOf(
      node
        .files('ada/board', 'reader')
        .ask('POST', '/edits', { json: { path: FILE, edits: [{ find: '# pins', replace: '' }] } }),
    ),
  ).toBe('403 not_permitted')
  expect(await codeOf(edit([{ find: '', replace: 'x' }]))).toBe('400 invalid_request')
})

test('[F-47] a text is changed by what is made of the whole of it, also while people type in it', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  await success(await files.put(FILE, 'count 0\n'))
  const ada = await openEditor(node, FILE)
  const request = { headers: { 'x-test-person': 'bob' } }
  const raise = (text: string) => {
    const [found = '', count = ''] = /count (\d+)/.exec(text) ?? []
    return [{ at: text.indexOf(found), length: found.length, text: `count ${Number(count) + 1}` }]
  }
  const at = { owner: 'ada', repo: 'board' }
  const raised = Promise.all(
    Array.from({ length: 5 }, () =>
      node.editing.rewrite(request, at, { path: FILE, reason: 'Counting' }, raise),
    ),
  )
  for (let round = 0; round < 5; round += 1) await ada.change(ada.text().length, ada.text().length, 'x')
  const answers = await raised
  expect(answers.map(({ isChanged }) => isChanged)).toEqual([true, true, true, true, true])
  await vi.waitFor(async () => {
    await ada.push()
    expect(ada.text()).toBe('count 5\nxxxxx')
  }, WAIT)
  expect(await node.editing.rewrite(request, at, { path: FILE }, () => [])).toMatchObject({
    isChanged: false,
  })
  expect(await files.read(FILE)).toBe('count 5\nxxxxx')
  expect(node.noted).toContainEqual({ by: 'bob', action: `files edit ${FILE}`, reason: 'Counting' })
  const reader = { headers: { 'x-test-person': 'reader' } }
  await expect(node.editing.rewrite(reader, at, { path: FILE }, raise)).rejects.toThrow(
    expect.objectContaining({ code: 'not_permitted' }),
  )
})

test('[F-47] several texts are changed together, when those that were read are the same still', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  for (const [path, text] of [
    ['a.txt', '1'],
    ['b.txt', '2'],
    ['c.txt', '3'],
  ] as const)
    await success(await files.put(path, text))
  const ada = await openEditor(node, 'b.txt')
  const request = { headers: { 'x-test-person': 'bob' } }
  const at = { owner: 'ada', repo: 'board' }
  let asked = 0
  /** Of two it makes the sum of all that it has read; somebody types in the third one after the first look. */
  const sum = async (read: (path: string) => Promise<string>) => {
    const texts = await Promise.all(['a.txt', 'b.txt', 'c.txt'].map(read))
    if ((asked += 1) === 1) await ada.change(0, 0, '1')
    const text = `=${texts.reduce((all, each) => all + Number(each), 0)}`
    return new Map(['a.txt', 'c.txt'].map((path) => [path, [{ at: 1, length: 0, text }]]))
  }
  const done = await node.editing.rewriteAll(request, at, { path: 'a.txt', reason: 'Sums' }, sum)
  expect(done).toMatchObject({ isChanged: true })
  expect(asked).toBeGreaterThan(1)
  expect(await Promise.all(['a.txt', 'c.txt'].map((path) => files.read(path)))).toEqual(['1=16', '3=16'])
  expect(node.noted).toContainEqual({ by: 'bob', action: 'files edit a.txt, c.txt', reason: 'Sums' })
  const tooMuch = async (read: (path: string) => Promise<string>) => {
    await Promise.all(['a.txt', 'b.txt'].map(read))
    return new Map([
      ['a.txt', [{ at: 0, length: 1, text: 'x' }]],
      ['b.txt', [{ at: 0, length: 0, text: 'x'.repeat(2_000_000) }]],
    ])
  }
  await expect(node.editing.rewriteAll(request, at, { path: 'a.txt' }, tooMuch)).rejects.toThrow()
  expect(await files.read('a.txt')).toBe('1=16')
})

test('[F-34] cursors of the others are told, until they leave', async () => {
  await using node = await startContent()
  await success(await node.files('ada/board').put(FILE, 'abc'))
  const ada = await openEditor(node, FILE)
  const bob = await openEditor(node, FILE, { handle: 'bob' })
  await bob.say({ type: 'cursor', anchor: 1, head: 2 })
  const seen = () => ada.news.findLast((news) => news.type === 'cursors')?.cursors
  await vi.waitFor(() => expect(seen()).toMatchObject([{ handle: 'bob', anchor: 1, head: 2 }]), WAIT)
  bob.leave()
  await vi.waitFor(() => expect(seen()).toEqual([]), WAIT)
})

test('[F-35] whoever has missed edits that are gone reads again, and nothing is kept without end', async () => {
  let late = 0
  const clock = { now: () => new Date(Date.now() + late) }
  await using node = await startContent({ clock })
  const files = node.files('ada/board')
  await success(await files.put(FILE, 'x'))
  const ada = await openEditor(node, FILE)
  await ada.change(1, 1, 'y')
  await vi.waitFor(
    () => expect(ada.news).toContainEqual({ type: 'saved', document: ada.document, version: 1 }),
    WAIT,
  )
  const counts = async () =>
    (
      await sql<object>`select (select count(*)::int from content_documents) as documents,
        (select count(*)::int from content_edits) as edits`.execute(node.db)
    ).rows[0]
  await node.collection.sweep()
  expect(await counts()).toEqual({ documents: 1, edits: 1 })
  late = DOCUMENT_LIMITS.editsKeptMs + 1_000
  await node.collection.sweep()
  expect(await counts()).toEqual({ documents: 1, edits: 0 })
  const { document } = ada
  await ada.say({ type: 'open', version: 0 })
  await vi.waitFor(() => expect(ada.news.at(-1)).toEqual({ type: 'reopen', document }), WAIT)
  await ada.say({ type: 'push', version: 0, clientId: 'old', edits: [[1, [0, 'z']]] })
  expect(ada.news.at(-1)).toEqual({ type: 'reopen', document })
  expect(await documentOf(files)).toMatchObject({ version: 1, text: 'xy' })
  late = DOCUMENT_LIMITS.keptMs + 1_000
  await node.collection.sweep()
  expect(await counts()).toEqual({ documents: 0, edits: 0 })
  await documentOf(files)
  await node.remove('ada/board')
  await node.collection.sweep()
  expect(await counts()).toEqual({ documents: 0, edits: 0 })
})

test('[F-30] what was typed before a file became something else than text is kept beside it', async () => {
  await using node = await startContent()
  const files = node.files('ada/board')
  await success(await files.put(FILE, 'one'))
  const ada = await openEditor(node, FILE)
  // Nothing is saved by this node: what was typed is not in the file when it is replaced.
  await node.editing.stop()
  await ada.change(3, 3, ' two')
  await success(
    await files.ask('PUT', `/content?path=${FILE}`, {
      body: new Uint8Array([0, 1, 2]),
      headers: { 'if-match': '*' },
    }),
  )
  expect(await codeOf(files.ask('GET', `/document?path=${FILE}`))).toBe('422 file_not_text')
  expect(await files.read(`notes (edits ${ada.document}).txt`)).toBe('one two')
  expect(node.noted.at(-1)).toMatchObject({ by: 'ada', action: expect.stringContaining('files edit') })
})
