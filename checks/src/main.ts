import { fileURLToPath } from 'node:url'
import { checkCheckout } from './checkout.ts'

const { packages, files, violations } = checkCheckout(fileURLToPath(new URL('../..', import.meta.url)))

// A check that looks at nothing is green forever.
if (packages === 0 || files === 0) throw new Error('nothing was checked')

for (const { file, message } of violations) console.error(`${file}: ${message}`)
console.log(`boundaries: ${packages} packages, ${files} files, ${violations.length} violations`)
process.exitCode = violations.length === 0 ? 0 : 1
