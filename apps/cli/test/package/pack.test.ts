import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createUser, NO_STACK } from '../user.ts'

test('[CLI-43] R10: a folder that is named gets the archive under its own name', async () => {
  await using ada = await createUser()
  await ada.run('package', 'init', 'blinky')
  await mkdir(ada.at('built'))
  for (const out of ['built', 'built/']) {
    const { code, stdout } = await ada.run('package', 'pack', 'blinky', '--out', out)
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('into built/com.example.blinky-0.1.0.zip\n'),
    })
  }
  expect(await readdir(ada.at('built'))).toEqual(['com.example.blinky-0.1.0.zip'])
  expect((await ada.run('package', 'pack', 'blinky', '--out', 'nowhere/')).code).toBe(1)
})

test('[CLI-43] pack names the archive, and says its size, hash and what was left out', async () => {
  await using ada = await createUser()
  await ada.run('package', 'init', 'blinky')
  await writeFile(ada.at('blinky/plugins/main.py'), 'print("hello")\n')
  await writeFile(ada.at('blinky/.secret'), 'x')
  const { code, stdout, stderr } = await ada.run('package', 'pack', 'blinky')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^Packed com\.example\.blinky 0\.1\.0 into com\.example\.blinky-0\.1\.0\.zip\n/)
  expect(stdout).toMatch(/ {2}size +\d+ bytes; \d+ bytes installed, in 2 files\n {2}sha256 +[a-f0-9]{64}\n/)
  expect(stdout).toMatch(/Left out:\n {2}\.secret +\(hidden\)\n {2}README\.md +\(not in a folder/)
})

test('[CLI-43] one file is one file', async () => {
  await using ada = await createUser()
  await ada.run('package', 'init', 'blinky')
  expect((await ada.run('package', 'pack', 'blinky')).stdout).toContain('installed, in 1 file\n')
})

test('[CLI-43] the same folder makes the same bytes', async () => {
  await using ada = await createUser()
  await ada.run('package', 'init', 'blinky')
  for (const out of ['a.zip', 'b.zip']) await ada.run('package', 'pack', 'blinky', '--out', out)
  expect(await readFile(ada.at('a.zip'))).toEqual(await readFile(ada.at('b.zip')))
})

test('[CLI-43] what cannot be packed is told with its findings and leaves nothing', async () => {
  await using ada = await createUser()
  await ada.run('package', 'init', 'blinky')
  const before = await readdir(ada.home)
  await symlink('/etc/passwd', ada.at('blinky/plugins/link'))
  const linked = await ada.run('package', 'pack', 'blinky')
  expect(linked).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('is a link') })
  await mkdir(ada.at('empty'))
  const empty = await ada.run('package', 'pack', 'empty')
  expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining('patchbay package init empty') })
  await writeFile(ada.at('empty/metadata.json'), '{"license": "MTI"}')
  await mkdir(ada.at('empty/plugins'))
  await writeFile(ada.at('empty/plugins/x.py'), '')
  const broken = await ada.run('package', 'pack', 'empty')
  expect(broken.code).toBe(1)
  expect(broken.stderr).toMatch(/metadata\.json/)
  expect(await readdir(ada.home)).toEqual([...before, 'empty'].toSorted())
})

test('[CLI-44] inspect shows what an archive holds, and refuses what is none', async () => {
  await using ada = await createUser()
  await ada.run('package', 'init', 'blinky', '--tool-brand', 'kicad')
  await ada.run('package', 'pack', 'blinky', '--out', 'blinky.zip')
  const { code, stdout } = await ada.run('package', 'inspect', 'blinky.zip')
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^Blinky \(com\.example\.blinky 0\.1\.0\)\n[\s\S]* {2}tool +8\.0 or newer\n {2}platforms +all\n {2}runtime +swig\n[\s\S]*1 file:\n/,
  )
  const json = await ada.json<{ metadata: { identifier: string }; files: unknown[] }>(
    'package',
    'inspect',
    'blinky.zip',
  )
  expect(json).toMatchObject({ metadata: { identifier: 'com.example.blinky' }, has_icon: true })
  await writeFile(ada.at('text.zip'), 'hello')
  for (const file of ['text.zip', 'nowhere.zip']) {
    const refused = await ada.run('package', 'inspect', file)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).not.toMatch(NO_STACK)
  }
})
