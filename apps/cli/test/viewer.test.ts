import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { createUser, type Running } from './user.ts'

const PATIENT = { deadlineMs: 60_000 }

/** Ends as Ctrl-C ends it. */
async function interrupt(running: Running): Promise<number | null> {
  running.child.kill('SIGINT')
  return (await running.ended).code
}

deepTest(
  '[CLI-120] viewer says where it is, where pastes go and who names, and Ctrl-C ends it',
  async () => {
    await using ada = await createUser()
    const port = String(await freePort())
    const viewer = ada.start('viewer', '--port', port)
    await waitUntil('it is open', () => viewer.stdout().includes('Ctrl-C'), PATIENT)
    expect(viewer.stdout()).toBe(
      [
        `The viewer is open at http://localhost:${port}`,
        `  pastes   ${ada.home}/screenshots/sp`,
        '  names    from the title or the text in a picture, read on this machine',
        '',
        'Paste screenshots there; agents can ask you for them. Ctrl-C ends it.',
        '',
      ].join('\n'),
    )
    expect((await fetch(`http://localhost:${port}/api/viewer`)).status).toBe(200)
    expect([await interrupt(viewer), viewer.stderr()]).toEqual([0, ''])
  },
  120_000,
)

deepTest(
  '[CLI-120] the project can be named, and the browser is opened when that is wanted',
  async () => {
    await using ada = await createUser()
    await mkdir(ada.at('board'))
    await writeFile(ada.at('browser'), '#!/bin/sh\necho "$1" > opened\n', { mode: 0o700 })
    await using eve = await createUser({ PATCHBAY_BROWSER: ada.at('browser') })
    const port = String(await freePort())
    const viewer = eve.start('viewer', '--project', ada.at('board'), '--port', port, '--open')
    await waitUntil(
      'the browser is asked',
      () =>
        readFile(eve.at('opened'), 'utf8').then(
          (text) => text === `http://localhost:${port}\n`,
          () => false,
        ),
      PATIENT,
    )
    expect(viewer.stdout()).toContain(ada.at('board', 'screenshots', 'sp'))
    expect(await interrupt(viewer)).toBe(0)
  },
  120_000,
)

test('[CLI-121][CLI-120] what is wrong is said in one sentence, and checked without starting', async () => {
  await using ada = await createUser()
  const absent = await ada.run('viewer', '--project', 'nowhere')
  expect(absent).toEqual({
    code: 1,
    stdout: '',
    stderr: `There is no folder ${ada.at('nowhere')}. Name the folder of the project with --project or PATCHBAY_VIEWER_PROJECT.\n`,
  })
  const wrong = await ada.run('viewer', '--port', 'many', '--check-config')
  expect(wrong).toMatchObject({ code: 78, stdout: '' })
  expect(wrong.stderr).toContain('PATCHBAY_VIEWER_PORT: "many" is not a whole number')
  expect(await ada.run('viewer', '--check-config')).toMatchObject({
    code: 0,
    stdout: 'The configuration of viewer is sound.\n',
  })
})

deepTest(
  '[CLI-121] a second viewer is told where the first one is, and a taken port how to choose another',
  async () => {
    await using ada = await createUser()
    await mkdir(ada.at('other'))
    const port = String(await freePort())
    const first = ada.start('viewer', '--port', port)
    await waitUntil('it is open', () => first.stdout().includes('Ctrl-C'), PATIENT)
    const second = await ada.run('viewer', '--port', port)
    const other = await ada.run('viewer', '--project', 'other', '--port', port)
    expect(second).toMatchObject({
      code: 1,
      stderr: `The viewer of this project runs already: open http://localhost:${port}\n`,
    })
    expect(other.code).toBe(1)
    expect(other.stderr).toMatch(new RegExp(`^Port ${port} is taken .*--port.*\\n$`))
    expect(await interrupt(first)).toBe(0)
  },
  120_000,
)
