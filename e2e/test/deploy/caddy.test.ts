import { expect, test } from 'vitest'
import { run } from './commands.ts'
import { noCaddy } from './examples.ts'
import { ROOT, readText } from './files.ts'

test.skipIf(noCaddy)('[DP-210] Caddy accepts its file without a remark', async () => {
  const path = `${ROOT}/deploy/caddy/Caddyfile`
  const { code, output } = await run('caddy', ['validate', '--adapter', 'caddyfile', '--config', path])
  expect({ code, remarks: output.match(/.*"level":"(?:warn|error)".*/g) }).toEqual({ code: 0, remarks: null })
  expect(await run('caddy', ['fmt', path])).toEqual({
    code: 0,
    output: await readText('deploy/caddy/Caddyfile'),
  })
})
