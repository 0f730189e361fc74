import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startClientServer } from '../client/start-server.ts'
import { createAuthor } from '../client-packages/author.ts'
import { openTerminal } from '../identity/journey/terminal.ts'
import { computerAt } from './computer.ts'
import { IDENTIFIER, installed } from './night-lamp.ts'
import { startYesterdayProxy } from './yesterday-proxy.ts'

test('[J-33] with a pinned root, the files of yesterday are refused and what is installed stays', {
  timeout: 120_000,
}, async () => {
  await using cleanup = new AsyncDisposableStack()
  const operator = computerAt(cleanup.use(await openTerminal('')))
  await operator.types('patchbay repo keys create keys')
  await operator.types('patchbay repo trust init keys --for registry')
  const at = (...path: readonly string[]) => join(operator.home, 'keys', ...path)

  const proxy = cleanup.use(await startYesterdayProxy())
  const server = cleanup.use(
    await startClientServer({
      PATCHBAY_PUBLIC_URL: proxy.url,
      PATCHBAY_TRUST_FOLDER: at('trust'),
      PATCHBAY_TRUST_ONLINE_KEY_FILE: at('online-1.pem'),
    }),
  )
  proxy.forwardTo(server.url)
  const author = cleanup.use(await createAuthor(server, IDENTIFIER))
  await author.signIn()
  await author.run('package', 'publish', author.package)

  const terminal = cleanup.use(await openTerminal(''))
  const user = computerAt(terminal)
  await cp(at('trust', '1.root.json'), join(user.home, '1.root.json'))
  const root = `--root ${user.home}/3rdparty`
  expect(await user.types(`patchbay source add ${proxy.url} --trust-root 1.root.json`)).toContain(
    'only with its signatures',
  )
  expect(await user.types(`patchbay install ${IDENTIFIER} ${root}`)).toContain(
    `Installed ${IDENTIFIER} 0.1.0`,
  )
  proxy.endDay()
  await author.setVersion('0.2.0')
  await author.run('package', 'publish', author.package)
  expect(await user.types(`patchbay update ${root}`)).toContain(`${IDENTIFIER} went from 0.1.0 to 0.2.0.`)
  const files = await user.files('3rdparty')
  expect(files).toMatchObject(installed({ 'plugins/settings.ini': 'as shipped' }))

  proxy.serveYesterday(() => true)
  for (const words of ['update', `install ${IDENTIFIER}@0.1.0`])
    expect(await user.isRefused(`patchbay ${words} ${root}`)).toContain('an older state than was seen before')
  proxy.serveYesterday((path) => path.includes('/sparse/'))
  expect(await user.isRefused(`patchbay update ${root}`)).toContain(
    'is not the file that the signed index names',
  )
  // Neither an empty cache nor a key, which some would be shown more for, lets yesterday in.
  await rm(join(user.home, '.cache'), { recursive: true, force: true })
  proxy.serveYesterday(() => true)
  const keyed = computerAt(terminal, { PATCHBAY_SERVER_URL: proxy.url, PATCHBAY_API_KEY: 'key_any' })
  expect(await keyed.isRefused(`patchbay update ${root}`)).toMatch(
    /was refused.*an older state.*\n.*another network/,
  )
  expect(await user.files('3rdparty')).toEqual(files)
  proxy.serveYesterday(() => false)
  expect(await user.types(`patchbay update ${root}`)).toContain('up to date')
})
