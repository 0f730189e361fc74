import { expect, test } from 'vitest'
import { defineConfig, port, required, text } from '../../src/config/index.ts'
import { EXIT_CONFIG, readConfigOrExit } from '../../src/lifecycle/index.ts'

const definition = defineConfig({
  process: 'small',
  settings: {
    name: required({ variable: 'PATCHBAY_SMALL_NAME', meaning: 'A name.' }, text),
    port: required({ variable: 'PATCHBAY_SMALL_PORT', meaning: 'A port.' }, port),
  },
})

function read(environment: Record<string, string>, alsoKnown: readonly string[] = []) {
  const [exits, errors]: [number[], string[]] = [[], []]
  const config = readConfigOrExit(definition, {
    environment,
    alsoKnown,
    runId: 'r1',
    createNonce: () => 'n1',
    createSecret: () => 's1',
    host: { on: () => undefined, exit: (code) => void exits.push(code) },
    print: () => undefined,
    printError: (line) => void errors.push(line),
  })
  return { config, exits, errors: errors.join('\n') }
}

test('[K-711] every fault is reported at once, with exit code 78', () => {
  const { config, exits, errors } = read({ PATCHBAY_SMALL_PORT: 'x', PATCHBAY_OTHER: '1' })
  expect([config, exits]).toEqual([undefined, [EXIT_CONFIG]])
  expect(EXIT_CONFIG).toBe(78)
  for (const variable of ['PATCHBAY_SMALL_NAME', 'PATCHBAY_SMALL_PORT', 'PATCHBAY_OTHER'])
    expect(errors).toContain(variable)
})

test('[K-711] a sound one is returned, and variables of other processes are no fault', () => {
  const environment = { PATCHBAY_SMALL_NAME: 'a', PATCHBAY_SMALL_PORT: '1', PATCHBAY_OTHER: '1' }
  const { config, exits, errors } = read(environment, ['PATCHBAY_OTHER'])
  expect([config, exits, errors]).toEqual([{ name: 'a', port: 1 }, [], ''])
})
