import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { grafanaDashboard } from './dashboard.ts'

// `pnpm dashboard`: writes what Grafana imports.
const file = fileURLToPath(new URL('../../deploy/grafana/patchbay.json', import.meta.url))
writeFileSync(file, `${JSON.stringify(grafanaDashboard(), undefined, 2)}\n`)
