// A planted violation: the browser-safety test must notice this import.
import { readFileSync } from 'node:fs'
import { Problem } from '../src/core/index.ts'

export const planted = () => [readFileSync, new Problem('not_found')]
