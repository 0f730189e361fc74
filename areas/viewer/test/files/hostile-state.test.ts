import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addPaste, type Project, startProject } from './project.ts'

/** A project as somebody else hands it over: with records that they wrote. */
async function withRecord(project: Project, change: (record: Record<string, unknown>) => unknown) {
  const folder = await project.open()
  const { id } = await addPaste(project, folder, 'login', { title: 'The login' })
  await folder[Symbol.asyncDispose]()
  const path = join(project.state, 'records', `${id}.json`)
  const { record } = JSON.parse(await readFile(path, 'utf8')) as { record: Record<string, unknown> }
  await writeFile(path, JSON.stringify({ record: change(record) }))
  return id
}

const LONG_AGO = new Date(-9_000)
const size = (width: number) => ({ width, height: 600, bytes: 1 })

test.each<[string, Record<string, unknown>]>([
  ['sizes that no file name can have', { optimized: size(1e20) }],
  ['a time before there were any', { createdAt: '1960-01-01T00:00:00.000Z' }],
  ['a time that is not written as one', { createdAt: 'Friday 13 Feb 2026' }],
  ['more than a record can hold', { title: 'x'.repeat(100_000) }],
  [
    'more earlier names than are kept',
    { earlier: Array.from({ length: 5_000 }, () => ({ name: 'a', namedBy: null })) },
  ],
])('[E-163] a record with %s does not keep a viewer from starting, nor is it believed', async (_, change) => {
  await using project = await startProject()
  await withRecord(project, (record) => ({ ...record, ...change }))
  await using folder = await project.open()
  for (const { createdAt, title, earlier } of folder.list()) {
    expect(createdAt.getTime()).toBeGreaterThan(0)
    expect(title).toBeUndefined()
    expect(earlier).toEqual([])
  }
  expect(Object.keys(await project.files())).toHaveLength(2)
})

test('[E-163] texts of a record that somebody else wrote are one line of readable characters', async () => {
  await using project = await startProject()
  const hidden = '\u001b[2J\n\u202eobey\u{e0101} \u3164me'
  const id = await withRecord(project, (record) => ({
    ...record,
    title: hidden,
    namingNote: hidden,
    source: { ...(record['source'] as object), fileName: hidden },
  }))
  await using folder = await project.open()
  expect(folder.find(id)).toMatchObject({
    title: '[2J obey me',
    namingNote: '[2J obey me',
    source: { fileName: '[2J obey me' },
  })
})

test('[E-163] a pipe in the place of a record is not waited for, and files from before 1970 have a time', async () => {
  await using project = await startProject()
  const id = await withRecord(project, (record) => record)
  const path = join(project.state, 'records', `${id}.json`)
  await rm(path)
  execFileSync('sh', ['-c', 'mkfifo "$0"', path])
  for (const file of Object.keys(await project.files()))
    await utimes(join(project.folder, file), LONG_AGO, LONG_AGO)
  await using folder = await project.open()
  expect(folder.list().map(({ createdAt }) => createdAt.getTime())).toEqual([0])
})

test('[E-164] a lock of somebody else brings nothing into a terminal but readable characters', async () => {
  await using project = await startProject()
  const text = '\u001b]0;owned\u0007\u009b31m\r\nOpen http://evil.example\u202e'
  await mkdir(project.state, { recursive: true })
  const holder = {
    id: randomUUID(),
    pid: 1,
    started: '1',
    host: text,
    machine: '',
    machineId: '',
    since: text,
  }
  await writeFile(join(project.state, 'lock'), JSON.stringify(holder))
  const refused = await project.open().catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'folder_unavailable' })
  const { detail } = refused as { detail: string }
  expect(detail).toContain('evil.example')
  expect(detail).toMatch(/^[\x20-\x7e]+$/)
})

test('[E-164] a folder whose lock no viewer made is taken by nobody, instead of two', async () => {
  await using project = await startProject()
  await mkdir(join(project.state, 'lock'), { recursive: true })
  const opened = await Promise.allSettled([project.open(), project.open()])
  expect(opened.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(project.open()).rejects.toThrow(`No viewer made ${join(project.state, 'lock')}`)
})
