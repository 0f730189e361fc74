import type { EndpointSpec } from '../core/endpoint.ts'
import {
  deleteDevice,
  deleteDeviceArming,
  deleteDeviceGrant,
  deleteEmergencyStop,
  getDevice,
  getDevices,
  getDeviceValues,
  postDevice,
  postDeviceCommand,
  postDeviceKey,
  postDeviceValues,
  putDeviceArming,
  putDeviceGrant,
  putEmergencyStop,
} from './devices.ts'

/** Devices, in the order of the reference. */
export const DEVICE_ENDPOINTS: readonly EndpointSpec[] = [
  getDevices,
  postDevice,
  getDevice,
  deleteDevice,
  postDeviceKey,
  putDeviceGrant,
  deleteDeviceGrant,
  getDeviceValues,
  postDeviceCommand,
  putDeviceArming,
  deleteDeviceArming,
  putEmergencyStop,
  deleteEmergencyStop,
  postDeviceValues,
]
