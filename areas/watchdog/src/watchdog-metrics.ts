import { WATCHDOG_STATES, type WatchdogStatus } from '@patchbay/contracts/gateway'
import { type Metrics, observeGauge } from '@patchbay/kernel/metrics'

/** Shows the status as numbers, for alarms. */
export function exposeWatchdog(metrics: Metrics, status: () => WatchdogStatus): void {
  observeGauge(metrics, {
    name: 'patchbay_watchdog_restarts_total',
    help: 'Restarts of the gateway by their cause',
    label: 'cause',
    read: () => status().restarts,
  })
  observeGauge(metrics, {
    name: 'patchbay_watchdog_gateway_up',
    help: '1 when the last health check of the gateway succeeded',
    label: 'gateway',
    read: () => perGateway(status(), ({ state }) => (state === 'healthy' ? 1 : 0)),
  })
  observeGauge(metrics, {
    name: 'patchbay_watchdog_consecutive_failures',
    help: 'Failed health checks of the gateway in a row',
    label: 'gateway',
    read: () => perGateway(status(), ({ consecutiveFailures }) => consecutiveFailures),
  })
  observeGauge(metrics, {
    name: 'patchbay_watchdog_state',
    help: '1 for the state that the gateway is in',
    label: 'state',
    read: () => {
      const { state } = status()
      return Object.fromEntries(WATCHDOG_STATES.map((name) => [name, name === state ? 1 : 0]))
    },
  })
}

function perGateway(
  status: WatchdogStatus,
  read: (status: WatchdogStatus) => number,
): Record<string, number> {
  return { [new URL(status.gateway.url).host]: read(status) }
}
