import type { Device } from '@patchbay/contracts/devices'
import type { DeviceBindings, DevicePanelKind } from '@patchbay/contracts/panels'
import type { ComponentType } from 'react'
import type { PanelProps } from '../../panel-definition.ts'
import { propose, rolesOf } from '../instrument-panel/bindings.ts'
import type { InstrumentPanel } from '../instrument-panel/declare.ts'
import { panelComponent } from '../instrument-panel/device-panel.tsx'
import { ledControl, lightsControl } from './light.ts'
import { sensorMonitor, temperatureGraph } from './monitors.ts'
import { motorControl, servoControl } from './motion.ts'
import { batteryCharger, gpioControl, workcellPower } from './power.ts'
import { droneControl, lineFollower, robotLog, speedController } from './robots.ts'
import { imu, timeOfFlight, ultrasonic, ultraWideband } from './sensing.ts'
import { chipData, chipStatistics, ovenData, pressureTemperature } from './thermal.ts'

/** All panels of devices. */
export const DECLARATIONS: readonly InstrumentPanel[] = [
  motorControl,
  ledControl,
  servoControl,
  droneControl,
  speedController,
  lightsControl,
  workcellPower,
  gpioControl,
  imu,
  timeOfFlight,
  ultrasonic,
  lineFollower,
  temperatureGraph,
  chipData,
  chipStatistics,
  ovenData,
  pressureTemperature,
  ultraWideband,
  sensorMonitor,
  robotLog,
  batteryCharger,
]

const components = new Map<DevicePanelKind, ComponentType<PanelProps>>()

/** The same component for a kind each time: another one would be mounted anew. */
export function devicePanel(kind: DevicePanelKind): ComponentType<PanelProps> {
  const known = components.get(kind)
  if (known !== undefined) return known
  const declaration = DECLARATIONS.find((each) => each.kind === kind)
  if (declaration === undefined) throw new Error(`no panel of the kind ${kind}`)
  const made = panelComponent(declaration)
  components.set(kind, made)
  return made
}

/** The panels that a device has everything for, those with the most parts first. */
export function fittingPanels(
  device: Device,
): readonly { readonly kind: DevicePanelKind; readonly bindings: DeviceBindings }[] {
  return DECLARATIONS.flatMap(({ kind, binds }) => {
    const bindings = propose(rolesOf(kind, binds), device)
    return bindings === undefined ? [] : [{ kind, bindings }]
  }).toSorted((a, b) => Object.keys(b.bindings).length - Object.keys(a.bindings).length)
}
