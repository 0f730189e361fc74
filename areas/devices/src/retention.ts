import { DEVICE_LIMITS } from '@patchbay/contracts/limits'
import type { RetentionOf } from '@patchbay/kernel/postgres'
import type { DevicesTables } from './tables.ts'

export const devicesRetention: RetentionOf<DevicesTables> = {
  devices: { bound: `${DEVICE_LIMITS.devices} for each workspace` },
  device_places: { bound: `${DEVICE_LIMITS.devices} for each workspace` },
  device_values: { bound: `the latest of ${DEVICE_LIMITS.channels} channels of each device` },
  device_stops: { bound: 'one for each workspace whose devices are stopped' },
  device_commands: { keptFor: '30 days' },
}
