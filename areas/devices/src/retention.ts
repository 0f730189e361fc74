import { DEVICE_LIMITS, RECORDING_LIMITS } from '@patchbay/contracts/limits'
import type { RetentionOf } from '@patchbay/kernel/postgres'
import type { DevicesTables } from './tables.ts'

const SETTINGS = {
  seconds: 'PATCHBAY_DEVICE_SECONDS_DAYS',
  minutes: 'PATCHBAY_DEVICE_MINUTES_WEEKS',
  hours: 'PATCHBAY_DEVICE_HOURS_DAYS',
  files: 'PATCHBAY_RECORDINGS_DAYS',
} as const

export const devicesRetention: RetentionOf<DevicesTables> = {
  devices: { bound: `${DEVICE_LIMITS.devices} for each workspace` },
  device_places: { bound: `${DEVICE_LIMITS.devices} for each workspace` },
  device_values: { bound: `the latest of ${DEVICE_LIMITS.channels} channels of each device` },
  device_stops: { bound: 'one for each workspace whose devices are stopped' },
  device_commands: { keptFor: '30 days' },
  device_series: {
    bound: `${RECORDING_LIMITS.series} numbers of each device; of a removed one until they are deleted`,
  },
  device_seconds: { keptFor: '7 days, a partition each', setting: SETTINGS.seconds },
  device_minutes: { keptFor: '8 weeks, a partition each', setting: SETTINGS.minutes },
  device_hours: { keptFor: '365 days, four weeks a partition', setting: SETTINGS.hours },
  device_rollups: { bound: 'two rows' },
  device_recorders: { bound: 'one for each workspace that is recorded' },
  device_recorder_runs: { keptFor: '1 day after the node ended' },
  device_chunks: { keptFor: 'until they are in a file, a quarter of an hour' },
  device_recordings: { keptFor: '30 days; so many bytes for each owner as are set', setting: SETTINGS.files },
  device_storage: { bound: 'one for each owner of recordings' },
  device_markers: { bound: `${RECORDING_LIMITS.markers.toLocaleString('en-US')} for each workspace` },
}
