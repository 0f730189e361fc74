/** What `podman kube play` (4.3) starts of deploy/kubernetes. */
export const PLAYED = ['ConfigMap', 'Deployment']

/** What it says "not supported" to: nothing of a cluster is there that could keep them. */
export const NOT_PLAYED = ['HorizontalPodAutoscaler', 'NetworkPolicy', 'PodDisruptionBudget', 'Service']

export interface Overlay {
  /** The folder of the files as shipped, from where the overlay lies. */
  readonly base: string
  readonly images: Readonly<Record<'server' | 'gateway', string>>
  /** On 127.0.0.1. */
  readonly ports: Readonly<Record<'http' | 'pages' | 'gateway', number>>
}

/**
 * What an operator changes, and what podman needs otherwise than a cluster:
 *
 * - It publishes every port of a pod on the machine itself, on all addresses unless told, so that a second pod of a deployment
 *   cannot start. One node each, with the ports on loopback.
 * - With one node, a folder does for a bucket; /tmp is the one that may be written to.
 * - Of probes it takes `livenessProbe` alone, as a call of `curl` in a shell, which the images do not have, by timers of systemd.
 *   They are asked from outside here. `preStop`, `startupProbe` and the spread over machines are left out without a word.
 */
export function overlayOf({ base, images, ports }: Overlay): string {
  const image = (name: 'server' | 'gateway') => {
    const at = images[name].lastIndexOf(':')
    return {
      name: `registry.example.com/patchbay-${name}`,
      newName: images[name].slice(0, at),
      newTag: images[name].slice(at + 1),
    }
  }
  const port = (name: string, containerPort: number, hostPort: number) => ({
    name,
    containerPort,
    hostPort,
    hostIP: '127.0.0.1',
  })
  const withPorts = (name: string, ...published: readonly object[]) => ({
    target: { kind: 'Deployment', name },
    patch: JSON.stringify([
      { op: 'replace', path: '/spec/template/spec/containers/0/ports', value: published },
    ]),
  })
  // JSON is YAML.
  return JSON.stringify({
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: [base],
    images: [image('server'), image('gateway')],
    replicas: ['patchbay-server', 'patchbay-gateway'].map((name) => ({ name, count: 1 })),
    configMapGenerator: [
      {
        name: 'patchbay-server',
        behavior: 'merge',
        literals: [
          `PATCHBAY_PUBLIC_URL=http://localhost:${ports.http}`,
          `PATCHBAY_PROXY_URL=http://localhost:${ports.pages}`,
          'PATCHBAY_OBJECTS_URL=file:///tmp/objects',
        ],
      },
      {
        name: 'patchbay-gateway',
        behavior: 'merge',
        literals: [`PATCHBAY_GATEWAY_PUBLIC_URL=http://localhost:${ports.gateway}`],
      },
    ],
    patches: [
      withPorts('patchbay-server', port('http', 8790, ports.http), port('pages', 8792, ports.pages)),
      withPorts('patchbay-gateway', port('http', 8795, ports.gateway)),
    ],
  })
}

/** A secret as `podman kube play` reads it: what `kubectl create secret generic` would store, as JSON. */
export function secretOf(values: Readonly<Record<string, string>>): string {
  const encoded = Object.entries(values).map(([name, value]) => [name, Buffer.from(value).toString('base64')])
  return JSON.stringify(Object.fromEntries(encoded))
}
