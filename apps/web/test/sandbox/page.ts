import { start } from '../../src/workspace/sandbox/frame/main.ts'
import { createSandbox } from '../../src/workspace/sandbox/create-sandbox.ts'

Object.assign(globalThis, { createSandbox, start })
