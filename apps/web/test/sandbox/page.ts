import { createSandbox } from '../../src/workspace/sandbox/create-sandbox.ts'

Object.assign(globalThis, { createSandbox })
