import {
  type CommandResult,
  type Device,
  type DeviceValue,
  deleteDeviceArming,
  deleteEmergencyStop,
  type EmergencyStop,
  getDevices,
  postDeviceCommand,
  putDeviceArming,
  putEmergencyStop,
} from '@patchbay/contracts/devices'
import type { WorkspaceRef } from '@patchbay/contracts/panels'
import { ask } from '../../server/server.api.ts'
import type { PanelHost } from '../panel-definition.ts'

/** Who asks, and about which workspace. */
type Asking = Pick<PanelHost, 'workspace' | 'csrfToken'>

/** A workspace has 200 devices. */
const MOST_PAGES = 5

export interface ListedDevices {
  readonly devices: readonly Device[]
  readonly stop: EmergencyStop | null
}

export async function fetchDevices(params: WorkspaceRef): Promise<ListedDevices> {
  const devices: Device[] = []
  let stop: EmergencyStop | null = null
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = cursor === undefined ? {} : { cursor }
    const { body } = await ask(getDevices, { params, query })
    devices.push(...body.items)
    stop = body.stop
    if (body.nextCursor === null) break
    cursor = body.nextCursor
  }
  return { devices, stop }
}

const headersOf = ({ csrfToken }: Asking) => ({ headers: { 'x-csrf-token': csrfToken() } })

export async function sendCommand(
  asking: Asking,
  device: string,
  command: { readonly channel: string; readonly value: DeviceValue },
): Promise<CommandResult> {
  const params = { ...asking.workspace, device }
  const { body } = await ask(postDeviceCommand, { params, body: command }, headersOf(asking))
  return body
}

export async function armDevice(
  asking: Asking,
  device: string,
  arming: { readonly seconds: number; readonly isForAgents: boolean },
): Promise<void> {
  await ask(putDeviceArming, { params: { ...asking.workspace, device }, body: arming }, headersOf(asking))
}

export async function disarmDevice(asking: Asking, device: string): Promise<void> {
  await ask(deleteDeviceArming, { params: { ...asking.workspace, device } }, headersOf(asking))
}

export async function stopDevices(asking: Asking, reason: string | undefined): Promise<EmergencyStop> {
  const body = reason === undefined ? {} : { reason }
  const answer = await ask(putEmergencyStop, { params: asking.workspace, body }, headersOf(asking))
  return answer.body.stop
}

export async function releaseDevices(asking: Asking): Promise<void> {
  await ask(deleteEmergencyStop, { params: asking.workspace }, headersOf(asking))
}
