import { expect, test } from 'vitest'
import * as core from '../src/core/index.ts'
import * as gateway from '../src/gateway/index.ts'
import * as identity from '../src/identity/index.ts'
import * as panels from '../src/panels/index.ts'
import * as registry from '../src/registry/index.ts'
import * as viewer from '../src/viewer/index.ts'

const AREAS = {
  core: { exported: core, listed: core.CORE_ENDPOINTS },
  gateway: { exported: gateway, listed: [...gateway.GATEWAY_ENDPOINTS, ...gateway.WATCHDOG_ENDPOINTS] },
  identity: { exported: identity, listed: identity.IDENTITY_ENDPOINTS },
  panels: { exported: panels, listed: panels.PANELS_ENDPOINTS },
  registry: { exported: registry, listed: registry.REGISTRY_ENDPOINTS },
  viewer: { exported: viewer, listed: viewer.VIEWER_ENDPOINTS },
} as const

const isEndpoint = (value: unknown): value is core.EndpointSpec =>
  typeof value === 'object' && value !== null && 'path' in value && 'responses' in value

test.each(Object.entries(AREAS))('[CT-14] %s lists every endpoint that it exports, once', (_, area) => {
  const exported = Object.values(area.exported as Record<string, unknown>).filter(isEndpoint)
  expect(exported.length).toBeGreaterThan(1)
  expect(area.listed.map(({ name }) => name).toSorted()).toEqual(exported.map(({ name }) => name).toSorted())
})
