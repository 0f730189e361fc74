import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeSelf, type LockHolder } from '../../src/files/lock-holder.store.ts'
import { type Project, startProject } from './project.ts'

async function putLock({ state }: Project, changes: Partial<LockHolder>): Promise<void> {
  const holder = { ...(await describeSelf(randomUUID(), '2026-01-01T00:00:00.000Z')), ...changes }
  await mkdir(join(state, 'lock-7'), { recursive: true })
  await writeFile(join(state, 'lock-7', 'holder.json'), JSON.stringify(holder))
}

async function locks({ state }: Project): Promise<string[]> {
  return (await readdir(state)).filter((name) => name.startsWith('lock'))
}

test('[E-41] a second viewer is refused and told who has the folder', async () => {
  await using project = await startProject()
  await using folder = await project.open()
  expect(folder.list()).toEqual([])
  await expect(project.open()).rejects.toMatchObject({
    code: 'folder_unavailable',
    detail: expect.stringContaining(
      `process ${process.pid} on ${hostname()}, since ${project.clock.now().toISOString()}`,
    ),
  })
})

test('[E-41][E-42] of many that open one folder at once one gets it, also from one that is gone', async () => {
  await using project = await startProject()
  await putLock(project, { started: 'long ago' })
  for (let round = 0; round < 10; round += 1) {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => project.open()))
    const opened = results.filter((each) => each.status === 'fulfilled').map(({ value }) => value)
    expect(opened).toHaveLength(1)
    expect(await locks(project)).toHaveLength(1)
    await opened[0]?.[Symbol.asyncDispose]()
  }
})

test('[E-42] the lock of a process that has ended is taken over', async () => {
  await using project = await startProject()
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  await putLock(project, { pid: child.pid ?? 0 })
  await using folder = await project.open()
  expect(folder.list()).toEqual([])
  expect(await locks(project)).toEqual(['lock-8'])
})

test.each([
  ['whose number another process has', { pid: process.ppid, started: '1' }],
  ['whose number this process has', { started: '1' }],
  ['from before the machine was started', { boot: 'another' }],
])('[E-42] the lock of a process %s is taken over', async (_, changes) => {
  await using project = await startProject()
  await putLock(project, changes)
  await using folder = await project.open()
  expect(folder.list()).toEqual([])
})

test.each([
  ['on another machine', { host: 'elsewhere' }],
  ['in another container', { space: 'pid:[1]' }],
  ['that runs', { pid: process.ppid, started: '' }],
])('[E-43] the lock of a process %s is left alone', async (where, changes) => {
  await using project = await startProject()
  const parent = where === 'that runs' ? { started: await startOf(process.ppid) } : {}
  await putLock(project, { ...changes, ...parent })
  await expect(project.open()).rejects.toThrow(`delete ${join(project.state, 'lock-7')}`)
  expect(await locks(project)).toEqual(['lock-7'])
})

async function startOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

test('[E-67] closing waits for what goes on, frees the folder, and refuses what comes later', async () => {
  await using project = await startProject()
  const folder = await project.open()
  const stage = folder.stage()
  await folder[Symbol.asyncDispose]()
  expect((await stage).id).toMatch(/^[0-9a-f-]{36}$/)
  await expect(folder.stage()).rejects.toMatchObject({ code: 'folder_unavailable' })
  await expect(folder.undo((await stage).id)).rejects.toMatchObject({ code: 'folder_unavailable' })
  await using again = await project.open()
  expect(again.list()).toEqual([])
  expect(await readdir(join(project.state, 'staging'))).toEqual([])
})
