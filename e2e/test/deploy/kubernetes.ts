/** What of the manifests is looked at. */

type Labels = Record<string, string>

interface Selector {
  readonly matchLabels: Labels
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}

export interface Resource {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
}

interface Container {
  readonly image: string
  readonly env?: { readonly name: string }[]
  readonly envFrom: Record<string, { readonly name: string }>[]
  readonly ports: { readonly name: string; readonly containerPort: number }[]
  readonly startupProbe: Probe
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
  readonly securityContext: Record<string, unknown>
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
}

interface Volume {
  readonly name: string
  readonly emptyDir?: { readonly sizeLimit: string; readonly medium?: string }
  readonly secret?: {
    readonly secretName: string
    readonly optional?: boolean
    readonly defaultMode?: number
  }
}

export interface Deployment extends Resource {
  readonly spec: {
    readonly replicas: number
    readonly selector: Selector
    readonly strategy: { readonly rollingUpdate: { readonly maxUnavailable: number } }
    readonly template: {
      readonly metadata: { readonly labels: Labels }
      readonly spec: {
        readonly containers: [Container]
        readonly terminationGracePeriodSeconds: number
        readonly securityContext: { readonly fsGroup?: number }
        readonly volumes?: readonly Volume[]
        readonly topologySpreadConstraints: { readonly labelSelector: Selector }[]
      }
    }
  }
}

export interface Service extends Resource {
  readonly spec: { readonly selector: Labels; readonly ports: Record<string, unknown>[] }
}

export interface Budget extends Resource {
  readonly spec: { readonly selector: Selector; readonly maxUnavailable: number }
}

export interface Autoscaler extends Resource {
  readonly spec: { readonly scaleTargetRef: Record<string, string>; readonly minReplicas: number }
}

interface PolicyRule {
  readonly from?: readonly object[]
  readonly to?: readonly { readonly ipBlock?: { readonly cidr: string; readonly except?: string[] } }[]
  readonly ports?: readonly { readonly port: string | number }[]
}

export interface NetworkPolicy extends Resource {
  readonly spec: {
    readonly podSelector: Selector
    readonly policyTypes: string[]
    readonly ingress: readonly PolicyRule[]
    readonly egress: readonly PolicyRule[]
  }
}

export interface Kustomization {
  readonly resources: string[]
  readonly configMapGenerator: { readonly name: string; readonly literals: string[] }[]
}
