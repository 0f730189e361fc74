import { waitUntil } from '@patchbay/testkit/processes'
import { expect, test } from 'vitest'
import { startClientServer } from '../client/start-server.ts'
import { makeAccount } from '../installation/accounts.ts'
import { iconOf } from '../packages-pages/icon.ts'
import { publish } from '../packages-pages/publishing.ts'
import { type ExistingTool, openExistingTool } from './existing-tool.ts'
import { IDENTIFIER, installed } from './night-lamp.ts'
import { unlessChecked, upstreamCheck } from './upstream-schema.ts'

test(`[J-31] an existing design tool reads the feed, notices a new version and unpacks it${unlessChecked}`, {
  timeout: 90_000,
}, async () => {
  expect(upstreamCheck()('PackageArray', { packages: [{}] })).toBe(unlessChecked !== '')
  await using server = await startClientServer()
  const feed = `${server.url}/registry/feeds/kicad/repository.json`
  // The feed of a new installation is made a moment after it starts.
  await waitUntil('there is a feed', async () => (await fetch(feed)).ok, { deadlineMs: 30_000 })
  const tool = openExistingTool(feed)
  await noticesNews(tool)
  expect(tool.packages()).toEqual([])

  const author = await makeAccount(server, 'grace')
  const icon = iconOf([24, 24, 38], [255, 196, 61])
  await publish(server, author, { identifier: IDENTIFIER, version: '1.0.0', icon })
  await noticesNews(tool)
  expect(await tool.refresh()).toBe(false)
  await publish(server, author, { identifier: IDENTIFIER, version: '1.1.0', icon })
  await noticesNews(tool)
  expect(tool.packages()).toMatchObject([
    {
      identifier: IDENTIFIER,
      versions: [
        { version: '1.1.0', kicad_version: '8.0' },
        { version: '1.0.0', kicad_version: '8.0' },
      ],
    },
  ])
  expect([...tool.icons()]).toEqual([[`${IDENTIFIER}/icon.png`, Buffer.from(icon)]])

  const pictures = { 'resources/icon.png': Buffer.from(icon).toString('latin1') }
  for (const version of ['1.0.0', '1.1.0'])
    expect(await tool.unpack(IDENTIFIER, version)).toEqual(
      installed({ 'plugins/__init__.py': `print("${version}")\n`, ...pictures }),
    )
})

async function noticesNews(tool: ExistingTool): Promise<void> {
  const refresh = () => tool.refresh()
  await waitUntil('the tool notices something new', refresh, { deadlineMs: 30_000, intervalMs: 100 })
}
