import { readdir, readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { waitUntil } from '@patchbay/testkit/processes'
import { expect } from 'vitest'
import { buildArgs, buildShop } from '../repo/shop.ts'
import { createUser } from '../user.ts'

test('[CLI-82] Ctrl-C during a download ends with 130, says so, and leaves nothing', async () => {
  await using ada = await createUser()
  await buildShop(ada)
  let held: ServerResponse | undefined
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/archives/') === true) {
      held = response
      response.write('PK')
    } else
      readFile(ada.at(`public${request.url ?? ''}`)).then(
        (bytes) => response.end(bytes),
        () => response.destroy(),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await using cleanup = new AsyncDisposableStack()
  cleanup.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await ada.run(...buildArgs(ada).slice(0, -1), base)
  const install = ['install', 'com.example.blinky', '--repo', `${base}repository.json`, '--root', 'third']
  const running = ada.start(...install, '--json')
  await waitUntil('the download has begun', () => held !== undefined, { deadlineMs: 60_000 })
  running.child.kill('SIGINT')
  const { code, stdout, stderr } = await running.ended
  expect(code).toBe(130)
  expect(stderr).toContain('Stopped. Nothing was changed.\n')
  expect(JSON.parse(stdout)).toEqual({ error: { code: 'stopped', message: 'Stopped. Nothing was changed.' } })
  expect(await readdir(ada.at('third'))).toEqual(['.patchbay'])
  expect(await readdir(ada.at('third/.patchbay/packages'))).toEqual([])
})

deepTest('[CLI-82] also while standard input is waited for', async () => {
  await using ada = await createUser()
  const running = ada.startWith(undefined, 'package', 'validate', '-')
  // More than the system holds for it: taken only once it is read.
  await new Promise((resolve) => running.child.stdin?.write(' '.repeat(1_000_000), resolve))
  running.child.kill('SIGINT')
  expect((await running.ended).code).toBe(130)
})
