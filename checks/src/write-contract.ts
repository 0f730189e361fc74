import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CONTRACT, rulesTests } from './checkout.ts'
import { withTests } from './contract.ts'

// `pnpm contract`: writes the tests that prove each statement into the table of the contract.
const root = fileURLToPath(new URL('../..', import.meta.url))
const file = join(root, CONTRACT)
writeFileSync(file, withTests(readFileSync(file, 'utf8'), rulesTests(root)))
