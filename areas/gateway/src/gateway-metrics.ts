import { CALLBACK_OUTCOMES, type CallbackOutcome } from '@patchbay/contracts/gateway'
import { type Metrics, observeGauge, tally } from '@patchbay/kernel/metrics'
import type { RegistrationEvent } from './registration.ts'

export interface GatewayMetrics {
  readonly registration: (event: RegistrationEvent) => void
  readonly callback: (outcome: CallbackOutcome | 'malformed' | 'asked') => void
}

export interface Standing {
  readonly pending: number
  readonly sockets: number
}

/** What an operator watches. Labels are closed sets: nothing that a client or provider sent can become one. */
export function gatewayMetrics(metrics: Metrics, standing: () => Standing): GatewayMetrics {
  observeGauge(metrics, {
    name: 'patchbay_gateway_held',
    help: 'What this node holds right now',
    label: 'what',
    read: () => ({ ...standing() }),
  })
  return {
    registration: tally<RegistrationEvent>(metrics, {
      name: 'patchbay_gateway_registrations_total',
      help: 'Registrations by what became of them',
      label: 'event',
      values: ['registered', 'resumed', 'refused', 'unregistered', 'disconnected', 'delivered', 'expired'],
    }),
    callback: tally<CallbackOutcome | 'malformed' | 'asked'>(metrics, {
      name: 'patchbay_gateway_callbacks_total',
      help: 'Callbacks by what the person was told',
      label: 'outcome',
      values: [...CALLBACK_OUTCOMES, 'malformed', 'asked'],
    }),
  }
}
