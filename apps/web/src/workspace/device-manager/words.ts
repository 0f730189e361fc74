import type { ProblemCode } from '@patchbay/contracts/core'

export const words = {
  open: 'Devices',
  also: 'hardware boards mqtt keys add remove arm share grant',
  title: 'Devices of this workspace',
  list: 'Devices',
  none: 'No devices yet.',
  loading: 'Loading the devices',
  failed: {
    title: 'The devices could not be loaded',
    text: 'The server did not answer. Nothing is lost.',
    retry: 'Try again',
  },
  status: { online: 'Online', offline: 'Offline', never: 'Never connected' },
  channels: (count: number) => `${count} ${count === 1 ? 'channel' : 'channels'}`,
  home: (owner: string, repo: string) => `Belongs to ${owner}/${repo}`,

  name: 'Name',
  nameHint: 'Lower-case letters, digits and hyphens, such as motor-1',
  add: 'Add device',
  taken: 'This workspace has a device of this name.',

  keyOf: (device: string) => `Connect ${device}`,
  keyOnce: 'The key is not shown again.',
  key: 'Key',
  address: 'MQTT address',
  username: 'Username',
  topic: 'Topic, before the channel',
  httpOnly: 'This server takes values over HTTP alone, at /api/devices/values.',

  ask: {
    title: (name: string, device: string, reason: string | undefined) =>
      reason === undefined
        ? `${name} wants to use ${device}. Arm it for agents to allow that.`
        : `${name} wants to use ${device}: ${reason}. Arm it for agents to allow that.`,
  },
  openPanel: 'Open panel',
  openPanelOf: (device: string) => `Open panel for ${device}`,
  manage: 'Manage',
  manageOf: (device: string) => `Manage ${device}`,

  grant: {
    title: 'Other workspaces that use it',
    titleOf: (device: string) => `Other workspaces that use ${device}`,
    none: 'Only this workspace uses it.',
    field: 'Workspace',
    hint: 'One that you may change, such as ada/robot',
    add: 'Grant access',
    here: 'The device belongs to this workspace.',
    problems: {
      device_exists: 'That workspace has another device of this name.',
      not_permitted: 'There is no such workspace that you may change.',
      workspace_not_found: 'There is no such workspace that you may change.',
      invalid_request: 'This is no name of a workspace.',
    } as Partial<Record<ProblemCode, string>>,
    end: 'End access',
    endOf: (workspace: string) => `End access of ${workspace}`,
    question: (device: string, workspace: string) => `Take ${device} from ${workspace}?`,
    text: 'Its pages get no more values, and it can no longer command the device.',
  },

  newKey: 'New key',
  newKeyOf: (device: string) => `New key for ${device}`,
  newKeyQuestion: (device: string) => `Give ${device} a new key?`,
  newKeyText: 'The old key ends at once, and so does its connection.',
  remove: 'Remove',
  removeOf: (device: string) => `Remove ${device}`,
  removeQuestion: (device: string) => `Remove ${device}?`,
  removeText: 'Its key, its values and its place in other workspaces go with it.',
}
