export type { Broker } from './broker.ts'
export type {
  DeviceAccess,
  DevicesDeps,
  DevicesSettings,
  RecordingSettings,
  Simulation,
  Workspaces,
} from './deps.ts'
export { type Devices, registerDevices } from './devices.routes.ts'
export type { DeviceSocket } from './devices.socket.ts'
export { createEmbeddedBroker, type EmbeddedBroker } from './embedded-broker.io.ts'
export { createExternalBroker } from './external-broker.io.ts'
export { countAllDevices, listAllDevices, sumRecordings } from './operator.store.ts'
export { createRecorder } from './recorder.store.ts'
export { writeDueFiles } from './recording.store.ts'
export { devicesRetention } from './retention.ts'
export { type DevicesTables, devicesMigrations, devicesTables } from './tables.ts'
