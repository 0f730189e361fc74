import { expect, test } from 'vitest'
import { commandReference } from './command-reference.ts'

test('[CLI-270] the reference of commands in docs says what --help says', async () => {
  await expect(commandReference()).toMatchFileSnapshot('../../../docs/reference/commands.md')
})
