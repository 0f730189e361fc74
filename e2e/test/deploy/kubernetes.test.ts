import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { isInstalled, run } from './commands.ts'
import { readImageEnvironment } from './dockerfile.ts'
import { ROOT, readYaml } from './files.ts'
import type {
  Autoscaler,
  Budget,
  Deployment,
  Kustomization,
  NetworkPolicy,
  Resource,
  Service,
} from './kubernetes.ts'
import { settingsOf } from './kustomization.ts'
import { NOT_PLAYED, PLAYED } from './podman-kubernetes.ts'
import { DRAIN_SECONDS, PAGES_PORT, readServerConfig, SERVER_PORT } from './server-config.ts'

const FOLDER = 'deploy/kubernetes'
const deployment = await readYaml<Deployment>(`${FOLDER}/deployment.yaml`)
const service = await readYaml<Service>(`${FOLDER}/service.yaml`)
const budget = await readYaml<Budget>(`${FOLDER}/disruption-budget.yaml`)
const autoscaler = await readYaml<Autoscaler>(`${FOLDER}/autoscaler.yaml`)
const kustomization = await readYaml<Kustomization>(`${FOLDER}/kustomization.yaml`)
const pod = deployment.spec.template.spec
const [container] = pod.containers

test('[DP-101] the server accepts what the map, the secret and the pod give it', async () => {
  const given = {
    ...(await settingsOf('patchbay-server')),
    ...Object.fromEntries((container.env ?? []).map(({ name }) => [name, 'a-pod'])),
  }
  const config = readServerConfig(given, await readImageEnvironment('server'))
  expect(config.redisUrl).toBeDefined()
  expect(config.objectsUrl).toMatch(/^s3:/)
})

test('[DP-102] Kubernetes waits longer than the server drains', () => {
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(DRAIN_SECONDS)
})

test("[DP-103] probes and service use the server's port and paths", () => {
  expect(container.ports).toEqual([
    { name: 'http', containerPort: SERVER_PORT },
    { name: 'pages', containerPort: PAGES_PORT },
  ])
  expect(container.startupProbe.httpGet).toEqual({ path: '/health', port: 'http' })
  expect(container.livenessProbe.httpGet).toEqual({ path: '/health', port: 'http' })
  expect(container.readinessProbe.httpGet).toEqual({ path: '/ready', port: 'http' })
  expect(service.spec.ports).toEqual([
    { name: 'http', port: 80, targetPort: 'http' },
    { name: 'pages', port: 81, targetPort: 'pages' },
  ])
})

test('[DP-141] everything that selects pods selects those of the deployment', () => {
  const { labels } = deployment.spec.template.metadata
  expect(Object.keys(labels)).not.toEqual([])
  expect(deployment.spec.selector.matchLabels).toEqual(labels)
  expect(service.spec.selector).toEqual(labels)
  expect(budget.spec.selector.matchLabels).toEqual(labels)
  expect(pod.topologySpreadConstraints).toHaveLength(2)
  for (const { labelSelector } of pod.topologySpreadConstraints)
    expect(labelSelector.matchLabels).toEqual(labels)
  const { apiVersion, kind, metadata } = deployment
  expect(autoscaler.spec.scaleTargetRef).toEqual({ apiVersion, kind, name: metadata.name })
})

test('[DP-141] a rollout and a drained machine leave a node to serve', () => {
  expect(deployment.spec.replicas).toBeGreaterThan(budget.spec.maxUnavailable)
  expect(deployment.spec.strategy.rollingUpdate.maxUnavailable).toBe(0)
  expect(autoscaler.spec.minReplicas).toBeGreaterThan(budget.spec.maxUnavailable)
})

test('[DP-142] pods gain nothing and get nothing that they do not need', () => {
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
  })
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
})

test.each([
  ['network-policy.yaml', 'deployment.yaml', ['http', 'pages'], [53, 443, 5432, 6379]],
  ['gateway-network-policy.yaml', 'gateway-deployment.yaml', ['http'], [53, 6379]],
])(
  '[DP-144] %s lets in what the pods serve, and out what they ask for',
  async (policyFile, of, served, asked) => {
    const { spec } = await readYaml<NetworkPolicy>(`${FOLDER}/${policyFile}`)
    const pods = await readYaml<Deployment>(`${FOLDER}/${of}`)
    expect(spec.podSelector.matchLabels).toEqual(pods.spec.template.metadata.labels)
    expect(spec.policyTypes).toEqual(['Ingress', 'Egress'])
    const portsOf = (rules: NetworkPolicy['spec']['ingress']) => [
      ...new Set(rules.flatMap(({ ports = [] }) => ports.map(({ port }) => port))),
    ]
    expect(portsOf(spec.ingress)).toEqual(served)
    expect(pods.spec.template.spec.containers[0].ports.map(({ name }) => name)).toEqual(served)
    expect(portsOf(spec.egress).toSorted((a, b) => Number(a) - Number(b))).toEqual(asked)
    for (const { from } of spec.ingress) expect(from).not.toEqual([])
    const everywhere = spec.egress
      .flatMap(({ to = [] }) => to)
      .filter(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0')
    for (const { ipBlock } of everywhere)
      expect(ipBlock?.except).toEqual(
        expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '192.168.0.0/16']),
      )
  },
)

test.skipIf(!isInstalled('kubectl'))(
  '[DP-143] kustomize builds every resource with the image and the map',
  async () => {
    const { code, output } = await run('kubectl', ['kustomize', join(ROOT, FOLDER)])
    expect({ code, output }).toMatchObject({ code: 0 })
    const built = parseAllDocuments(output).map((document): Resource => document.toJS())
    const shown = built.map(
      ({ kind, metadata }) => `${kind} ${metadata.name.replace(/-[a-z0-9]{10}$/, '-…')}`,
    )
    expect(shown.toSorted()).toEqual([
      'ConfigMap patchbay-gateway-…',
      'ConfigMap patchbay-server-…',
      'Deployment patchbay-gateway',
      'Deployment patchbay-server',
      'NetworkPolicy patchbay-gateway',
      'NetworkPolicy patchbay-server',
      'PodDisruptionBudget patchbay-gateway',
      'PodDisruptionBudget patchbay-server',
      'Service patchbay-gateway',
      'Service patchbay-server',
    ])
    for (const name of ['server', 'gateway'])
      expect(output).toContain(`image: registry.example.com/patchbay-${name}:`)
    for (const { metadata } of built.filter(({ kind }) => kind === 'ConfigMap'))
      expect(output.match(new RegExp(`name: ${metadata.name}$`, 'gm'))).toHaveLength(2)
  },
)

test('[DP-361] of every kind it is known whether podman plays it', async () => {
  const files = (await readdir(join(ROOT, FOLDER))).filter((name) => name !== 'kustomization.yaml')
  const kinds = await Promise.all(
    files.map(async (name) => (await readYaml<Resource>(`${FOLDER}/${name}`)).kind),
  )
  // Kustomize makes the maps.
  expect(new Set([...kinds, 'ConfigMap'])).toEqual(new Set([...PLAYED, ...NOT_PLAYED]))
})

test('[DP-143] every file is listed, but for the one that is optional', async () => {
  const files = (await readdir(join(ROOT, FOLDER))).filter((name) => name !== 'kustomization.yaml')
  expect(files.toSorted()).toEqual([...kustomization.resources, 'autoscaler.yaml'].toSorted())
})
