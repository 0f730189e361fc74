import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { grafanaDashboard } from '../src/dashboard.ts'

test('[DP-403] the dashboard in the repository is the one that is described', () => {
  const committed = readFileSync(new URL('../../deploy/grafana/patchbay.json', import.meta.url), 'utf8')
  expect(JSON.parse(committed)).toEqual(grafanaDashboard())
})
