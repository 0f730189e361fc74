import { expect, test } from 'vitest'
import { readImageEnvironment } from './dockerfile.ts'
import { readYaml } from './files.ts'
import { GATEWAY_DRAIN_SECONDS, GATEWAY_PORT, readGatewayConfig } from './gateway-config.ts'
import type { Budget, Deployment, Service } from './kubernetes.ts'
import { settingsOf } from './kustomization.ts'

const FOLDER = 'deploy/kubernetes'
const deployment = await readYaml<Deployment>(`${FOLDER}/gateway-deployment.yaml`)
const service = await readYaml<Service>(`${FOLDER}/gateway-service.yaml`)
const budget = await readYaml<Budget>(`${FOLDER}/gateway-disruption-budget.yaml`)
const server = await readYaml<Deployment>(`${FOLDER}/deployment.yaml`)
const pod = deployment.spec.template.spec
const [container] = pod.containers

test('[DP-300] the gateway accepts what its map and its secret give it, and asks the person', async () => {
  const config = readGatewayConfig(
    await settingsOf('patchbay-gateway'),
    await readImageEnvironment('gateway'),
  )
  expect(config).toMatchObject({ delivery: 'confirm', publicUrl: 'https://gateway.example.com' })
  expect(config.redisUrl).toBeDefined()
  expect(config.metricsToken).toBeDefined()
  expect(container.image).toBe('patchbay-gateway')
  expect(container.envFrom).toEqual([
    { configMapRef: { name: 'patchbay-gateway' } },
    { secretRef: { name: 'patchbay-gateway' } },
  ])
})

test('[DP-301] Kubernetes waits longer than the gateway drains', () => {
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(GATEWAY_DRAIN_SECONDS)
})

test("[DP-302] probes and service use the gateway's port and paths", () => {
  expect(container.ports).toEqual([{ name: 'http', containerPort: GATEWAY_PORT }])
  expect(container.startupProbe.httpGet).toEqual({ path: '/health', port: 'http' })
  expect(container.livenessProbe.httpGet).toEqual({ path: '/health', port: 'http' })
  expect(container.readinessProbe.httpGet).toEqual({ path: '/ready', port: 'http' })
  expect(service.spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }])
})

test('[DP-328] O3: nobody is sent to a gateway that hangs, and it is ended, after two probes', () => {
  expect(container.readinessProbe).toMatchObject({ periodSeconds: 1, timeoutSeconds: 1, failureThreshold: 2 })
  expect(container.livenessProbe).toMatchObject({ periodSeconds: 2, timeoutSeconds: 2, failureThreshold: 2 })
})

test("[DP-315] everything that selects pods selects the gateway's, and not the server's", () => {
  const { labels } = deployment.spec.template.metadata
  expect(labels).not.toEqual(server.spec.template.metadata.labels)
  expect(deployment.spec.selector.matchLabels).toEqual(labels)
  expect(service.spec.selector).toEqual(labels)
  expect(budget.spec.selector.matchLabels).toEqual(labels)
  expect(pod.topologySpreadConstraints).toHaveLength(2)
  for (const { labelSelector } of pod.topologySpreadConstraints)
    expect(labelSelector.matchLabels).toEqual(labels)
})

test('[DP-315] a rollout and a drained machine leave a gateway to serve', () => {
  expect(deployment.spec.replicas).toBeGreaterThan(budget.spec.maxUnavailable)
  expect(deployment.spec.strategy.rollingUpdate.maxUnavailable).toBe(0)
})

test("[DP-316] its pods gain nothing and get nothing that they do not need, as the server's", () => {
  const [other] = server.spec.template.spec.containers
  expect(container.securityContext).toEqual(other.securityContext)
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
  })
})
