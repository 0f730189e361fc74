import { createSandbox } from '../../src/workspace/sandbox/create-sandbox.ts'
import { start } from '../../src/workspace/sandbox/frame/main.ts'

Object.assign(globalThis, { createSandbox, start })
