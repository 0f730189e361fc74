import { readFile } from 'node:fs/promises'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import { startInstallation } from '../workspace-cli/installation.ts'
import { runGuide } from '../workspace-cli/run-guide.ts'

const GUIDE = 'drive-a-device-from-an-agent.md'

deepTest(
  '[CLI-223][CLI-225][CLI-230] the commands of the guide run as they are, one after the other',
  {
    timeout: 240_000,
  },
  async () => {
    await using site = await startInstallation({ PATCHBAY_MQTT_PORT: '0' })
    const scopes = [`panels:${site.owner}/*`, `devices:command:${site.owner}/*`]
    await using user = await site.shell(...scopes)
    const { blocks, stdout } = await runGuide(GUIDE, site, user, scopes)
    expect(blocks).toBe(4)
    expect(stdout).toContain('Simulating 2 devices')
    expect(stdout).toContain('"status": "done"')
    expect(stdout).toContain('"channel":"illuminance"')
    const { stop } = await user.json<{ stop: object }>('device', 'list', `${site.owner}/bench`)
    expect(stop).toMatchObject({ reason: 'End of the guide' })
  },
)

test('[VA-70][VA-71][VA-72][VA-74] the guide names the tools that there are', async () => {
  const read = async (path: string) => await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')
  const source = await read('apps/viewer/src/mcp/workspace/devices.ts')
  const tools = [...source.matchAll(/name: '(av_\w+)'/g)].map(([, name]) => name)
  const named = [...(await read(`docs/guides/${GUIDE}`)).matchAll(/^\| `(av_\w+)`/gm)].map(([, name]) => name)
  expect(named).toEqual(tools)
})
