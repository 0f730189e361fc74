import type { ChangedPath } from '@patchbay/contracts/content'
import { describe, expect, test } from 'vitest'
import {
  type FileEntry,
  type FileTree,
  filesBelow,
  findTaken,
  findTyped,
  folderFor,
  NO_FILES,
  reduceTree,
  rowsOf,
  stepForKey,
  type TreeAction,
} from '../../src/workspace/panels/files/file-tree.ts'
import { createFollower } from '../../src/workspace/panels/files/follow-files.ts'

const content = { sha256: '0'.repeat(64), size: 10, mediaType: 'text/plain' }
const file = (path: string, revision = 1): FileEntry => ({ path, revision, ...content })
const put = (path: string, revision = 2, movedFrom: string | null = null): ChangedPath => ({
  path,
  revision,
  movedFrom,
  content,
})
const gone = (path: string, revision = 2): ChangedPath => ({ path, revision, movedFrom: null, content: null })

function treeOf(paths: readonly string[], ...actions: readonly TreeAction[]): FileTree {
  const loaded = { type: 'loaded', revision: 1, files: paths.map((path) => file(path)) } as const
  return [loaded, ...actions].reduce<FileTree>(reduceTree, NO_FILES)
}
const after = (tree: FileTree, ...paths: readonly ChangedPath[]) =>
  reduceTree(tree, { type: 'changed', revision: 2, paths })
/** With two dots for each level. */
const drawn = (tree: FileTree) => rowsOf(tree).map(({ name, level }) => '..'.repeat(level - 1) + name)
const open = (path: string): TreeAction => ({ type: 'expand', path })
const select = (path: string): TreeAction => ({ type: 'select', path })

const BOARD = [
  'README.md',
  'firmware/src/main.c',
  'firmware/src/a10.c',
  'firmware/src/a9.c',
  'board.kicad_pcb',
]

describe('rows', () => {
  test('[W-500] folders stand before files, by name, numbers as numbers; closed ones show nothing', () => {
    expect(drawn(treeOf(BOARD))).toEqual(['firmware', 'board.kicad_pcb', 'README.md'])
    const tree = treeOf(BOARD, open('firmware'), open('firmware/src'))
    expect(drawn(tree)).toEqual([
      'firmware',
      '..src',
      '....a9.c',
      '....a10.c',
      '....main.c',
      'board.kicad_pcb',
      'README.md',
    ])
  })

  test('[W-501] each row knows its level and its place among those beside it', () => {
    const rows = rowsOf(treeOf(BOARD, open('firmware'), open('firmware/src')))
    expect(rows.map(({ level, position, setSize }) => [level, position, setSize])).toEqual([
      [1, 1, 3],
      [2, 1, 1],
      [3, 1, 3],
      [3, 2, 3],
      [3, 3, 3],
      [1, 2, 3],
      [1, 3, 3],
    ])
    expect(rows.slice(0, 2).map(({ files }) => files)).toEqual([3, 3])
  })

  test('[W-502] ten thousand files of one folder are in order', () => {
    const paths = Array.from({ length: 10_000 }, (_, index) => `data/sample-${index}.csv`)
    const rows = rowsOf(treeOf(paths.toReversed(), open('data')))
    expect(rows).toHaveLength(10_001)
    expect(rows.slice(1).map(({ path }) => path)).toEqual(paths)
  })
})

describe('what others change', () => {
  test('[W-500] comes in and goes, and open folders stay open', () => {
    const tree = after(
      treeOf(BOARD, open('firmware'), open('firmware/src')),
      gone('firmware/src/a9.c'),
      put('firmware/src/z.c'),
    )
    expect(drawn(tree).slice(0, 5)).toEqual(['firmware', '..src', '....a10.c', '....main.c', '....z.c'])
    expect(tree.revision).toBe(2)
  })

  test('[W-501] the focus follows a file that was moved, and a folder that was renamed', () => {
    const moved = after(
      treeOf(BOARD, select('README.md')),
      gone('README.md'),
      put('docs/README.md', 2, 'README.md'),
    )
    expect(moved.current).toBe('docs/README.md')
    const around = treeOf(BOARD, open('firmware'), open('firmware/src'), select('firmware/src'))
    const renamed = after(
      around,
      ...['main.c', 'a9.c', 'a10.c'].flatMap((name) => [
        gone(`firmware/src/${name}`),
        put(`code/src/${name}`, 2, `firmware/src/${name}`),
      ]),
    )
    expect(renamed.current).toBe('code/src')
    expect(drawn(renamed).slice(0, 3)).toEqual(['code', '..src', '....a9.c'])
  })

  test('[W-501] a folder that a single file has left stays where it is', () => {
    const tree = after(
      treeOf(BOARD, open('firmware'), open('firmware/src'), select('firmware/src')),
      gone('firmware/src/a9.c'),
      put('old/a9.c', 2, 'firmware/src/a9.c'),
    )
    expect(tree.current).toBe('firmware/src')
    expect(drawn(tree)).toContain('..src')
  })

  test('[W-501] when its row goes the focus is on the next, or on the one before', () => {
    const src = treeOf(BOARD, open('firmware'), open('firmware/src'), select('firmware/src/a10.c'))
    expect(after(src, gone('firmware/src/a10.c')).current).toBe('firmware/src/main.c')
    expect(after(treeOf(BOARD, select('README.md')), gone('README.md')).current).toBe('board.kicad_pcb')
    expect(after(treeOf(['a'], select('a')), gone('a')).current).toBeUndefined()
    const closed = reduceTree(src, { type: 'collapse', path: 'firmware' })
    expect(closed.current).toBe('firmware')
  })
})

describe('folders without a file', () => {
  test('[W-503] are rows of this page until they have one', () => {
    const tree = treeOf(['a.c'], { type: 'draft', path: 'docs/pictures' })
    expect(drawn(tree)).toEqual(['docs', '..pictures', 'a.c'])
    expect(rowsOf(tree).map(({ files }) => files)).toEqual([0, 0, 1])
    expect(folderFor(tree)).toBe('docs/pictures')
    const filled = after(tree, put('docs/pictures/lamp.png'))
    expect([...filled.drafts]).toEqual([])
    expect(drawn(after(filled, gone('docs/pictures/lamp.png', 3)))).toEqual(['a.c'])
  })

  test('[W-503] are moved and discarded without anybody else', () => {
    const tree = treeOf(['a.c'], { type: 'draft', path: 'docs/pictures' })
    const moved = reduceTree(tree, { type: 'moveDrafts', path: 'docs', to: 'text' })
    expect([drawn(moved), moved.current]).toEqual([['text', '..pictures', 'a.c'], 'text/pictures'])
    const discarded = reduceTree(moved, { type: 'discard', path: 'text' })
    expect([drawn(discarded), discarded.current]).toEqual([['a.c'], 'a.c'])
  })
})

describe('keys', () => {
  const press = (tree: FileTree, ...keys: readonly string[]) =>
    keys.reduce((before, key) => {
      const step = stepForKey(rowsOf(before), before.current, key)
      return step === undefined ? before : reduceTree(before, step)
    }, tree)

  test('[W-501] arrow keys, Home and End go through the tree and open and close it', () => {
    const tree = treeOf(BOARD)
    expect(press(tree, 'ArrowDown').current).toBe('firmware')
    const opened = press(tree, 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight')
    expect(opened.current).toBe('firmware/src/a9.c')
    expect(press(opened, 'ArrowRight').current).toBe('firmware/src/a9.c')
    expect(press(opened, 'End').current).toBe('README.md')
    expect(press(opened, 'End', 'ArrowDown').current).toBe('README.md')
    expect(press(opened, 'Home', 'ArrowUp').current).toBe('firmware')
    expect(press(opened, 'ArrowLeft').current).toBe('firmware/src')
    expect(drawn(press(opened, 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft'))).toEqual(drawn(tree))
  })

  test('[W-501] letters jump to the next name that begins with them', () => {
    const rows = rowsOf(treeOf(BOARD, open('firmware'), open('firmware/src')))
    expect(findTyped(rows, undefined, 'b')).toBe('board.kicad_pcb')
    expect(findTyped(rows, 'firmware/src/a9.c', 'a')).toBe('firmware/src/a10.c')
    expect(findTyped(rows, 'firmware/src/a10.c', 'aa')).toBe('firmware/src/a9.c')
    expect(findTyped(rows, 'firmware/src/a9.c', 'a1')).toBe('firmware/src/a10.c')
    expect(findTyped(rows, 'README.md', 'rea')).toBe('README.md')
    expect(findTyped(rows, 'README.md', 'q')).toBeUndefined()
  })
})

test('[W-503] what is in the way is found whatever its upper and lower case, folders too', () => {
  const tree = treeOf(BOARD, { type: 'draft', path: 'docs' })
  expect(
    ['readme.MD', 'FIRMWARE', 'Docs', 'firmware/src/main.c', 'main.c'].map((path) => findTaken(tree, path)),
  ).toEqual(['README.md', 'firmware', 'docs', 'firmware/src/main.c', undefined])
})

test('[W-505] what is below a folder is not what only begins with its name', () => {
  const tree = treeOf(['src/a', 'src/b/c', 'src2/d', 'src'])
  expect(filesBelow(tree, 'src').map(({ path }) => path)).toEqual(['src/a', 'src/b/c', 'src'])
})

describe('following the server', () => {
  const listed = { revision: 5, files: [file('a', 5)] }

  test('[W-500] all is read once, then only what has changed, one question at a time', async () => {
    const asked: string[] = []
    let revision = 5
    const follower = createFollower({
      readAll: async () => (asked.push('all'), listed),
      readChanged: async (from) => {
        asked.push(`after ${from}`)
        return { revision, paths: [] }
      },
      onNews: ({ type }) => asked.push(type),
      onFailure: () => {},
    })
    await Promise.all([follower.look(), follower.look(), follower.look()])
    expect(asked).toEqual(['all', 'loaded', 'after 5'])
    revision = 7
    await Promise.all([follower.look(), follower.look()])
    expect(asked.slice(3)).toEqual(['after 5', 'changed', 'after 7'])
  })

  test('[W-500] where history is gone all is read again', async () => {
    const news: string[] = []
    let isGone = false
    const follower = createFollower({
      readAll: async () => listed,
      readChanged: async () => (isGone ? ((isGone = false), undefined) : { revision: 5, paths: [] }),
      onNews: ({ type }) => news.push(type),
      onFailure: () => {},
    })
    await follower.look()
    isGone = true
    await follower.look()
    expect(news).toEqual(['loaded', 'loaded'])
  })

  test('[W-513] a failure is told, and the next look works again', async () => {
    const told: unknown[] = []
    let isDown = true
    const follower = createFollower({
      readAll: async () => {
        if (isDown) throw new Error('down')
        return listed
      },
      readChanged: async () => ({ revision: 5, paths: [] }),
      onNews: ({ type }) => told.push(type),
      onFailure: (error) => told.push(error),
    })
    await follower.look()
    isDown = false
    await follower.look()
    expect(told).toEqual([new Error('down'), 'loaded', undefined])
  })
})
