import { readFile, writeFile } from 'node:fs/promises'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { freePort } from '@patchbay/testkit/ports'
import { expect } from 'vitest'
import { startBusyServer } from './busy-server.ts'
import { createUser } from './user.ts'

test.for([
  [['repo', 'build'], 'Run "patchbay repo build --help" for how it is used.'],
  [['install'], 'Run "patchbay install --help" for how it is used.'],
  [['package', 'publsh'], 'Run "patchbay package --help" for what there is.'],
  [['pakage'], 'Run "patchbay --help" for what there is.'],
] as const)('[CLI-2] after %j the help of that command is named', async ([args, advice]) => {
  await using ada = await createUser()
  const { code, stderr } = await ada.run(...args)
  expect({ code, last: stderr.trimEnd().split('\n').at(-1) }).toEqual({ code: 2, last: advice })
})

test('[CLI-41] the summary names the folder as it was named, the findings the file in it', async () => {
  await using ada = await createUser()
  await ada.run('package', 'init', 'blinky', '--license', 'MIT')
  const file = ada.at('blinky/metadata.json')
  await writeFile(file, (await readFile(file, 'utf8')).replace('"MIT"', '"MTI"'))
  const { stdout } = await ada.run('package', 'validate', 'blinky')
  expect(stdout.split('\n')).toEqual([
    'blinky/metadata.json:11:14: "MTI" is not on the list of licenses: write "MIT" (/license)',
    'blinky is not valid: a package folder; 1 error.',
    '',
  ])
})

test('[CLI-44] a folder is no archive, and it is said what to do with one', async () => {
  await using ada = await createUser()
  await ada.run('package', 'init', 'blinky')
  const { code, stderr } = await ada.run('package', 'inspect', 'blinky')
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('package pack blinky') })
})

test('[CLI-45] what is not there is told before anybody has to sign in', async () => {
  await using ada = await createUser()
  const { code, stderr } = await ada.run('package', 'publish', 'nothere')
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'There is no nothere.\nCheck the path.\n' })
})

test('[CLI-47] import takes an address, and says what else there is for a file', async () => {
  await using ada = await createUser()
  const { code, stderr } = await ada.run('package', 'import', 'blinky.zip')
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('"patchbay package publish"'),
  })
})

test('[CLI-84] a server that is not there is named', async () => {
  await using ada = await createUser()
  const server = `http://localhost:${await freePort()}`
  const { code, stderr } = await ada.run('search', 'x', '--server', server)
  expect({ code, stderr }).toMatchObject({
    code: 69,
    stderr: expect.stringContaining(
      `${server} cannot be reached right now: the connection failed (ECONNREFUSED).`,
    ),
  })
})

test('[CLI-65] a source that does not answer can be added all the same, which is said', async () => {
  await using ada = await createUser()
  await using busy = await startBusyServer()
  const gone = `http://localhost:${await freePort()}`
  for (const [address, server] of [
    [gone, gone],
    [`${busy.url}/repository.json`, busy.url],
  ] as const) {
    const { code, stderr } = await ada.run('source', 'add', address)
    expect(code).toBe(69)
    expect(stderr).toContain(server)
    expect(stderr).toMatch(/It was not added\..*--no-check\.\n$/)
    expect(stderr).not.toContain('PATCHBAY_SERVER_URL')
  }
})

deepTest('[CLI-65] so can a repository whose server is gone', async () => {
  await using ada = await createUser()
  const server = `http://localhost:${await freePort()}`
  const { code, stderr } = await ada.run('source', 'add', `${server}/repository.json`)
  expect(code).toBe(69)
  expect(stderr).toContain(server)
  expect(stderr).toMatch(/It was not added\..*--no-check\.\n$/)
})

deepTest('[CLI-63] where nothing is installed, nothing is called up to date', async () => {
  await using ada = await createUser()
  // A folder without a package, as a failed first install leaves it.
  await ada.run('install', 'com.example.x', '--server', `http://localhost:${await freePort()}`)
  const { stdout } = await ada.run('list', '--outdated')
  expect(stdout).toMatch(/^Nothing is installed in /)
})
