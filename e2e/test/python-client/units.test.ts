import { vi } from 'vitest'
import { testPython } from './python-tests.ts'

// The type checker reads all of the standard library.
vi.setConfig({ testTimeout: 180_000 })

testPython('unit')
