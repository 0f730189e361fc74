import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect, vi } from 'vitest'
import { startOnTerminal } from './on-terminal.ts'
import { createUser } from './user.ts'

// Processes on a busy machine take their time to start.
vi.setConfig({ testTimeout: 120_000 })

const COLOR = '\u001b['

test('[CLI-180] F11: help on a terminal has color, and none where NO_COLOR is set', async () => {
  await using colored = startOnTerminal({ TERM: 'xterm-256color' }, '--help')
  await using plain = startOnTerminal({ TERM: 'xterm-256color', NO_COLOR: '1' }, '--help')
  await Promise.all([colored.exited, plain.exited])
  expect(colored.output()).toContain(`${COLOR}1mPackages:`)
  expect(plain.output()).toContain('Packages:')
  expect(plain.output()).not.toContain(COLOR)
})

deepTest('[CLI-180] F11: a pipe gets color with FORCE_COLOR alone, and JSON never', async () => {
  await using plain = await createUser()
  await using colored = await createUser({ FORCE_COLOR: '1' })
  const [text, forced, json] = await Promise.all([
    plain.start('info', '@').ended,
    colored.start('info', '@').ended,
    colored.start('info', '@', '--json').ended,
  ])
  expect(text.stderr).not.toContain(COLOR)
  expect(forced.stderr).toContain(`${COLOR}31mName a package as`)
  expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'bad_identifier' } })
  expect(json.stdout).not.toContain(COLOR)
})
