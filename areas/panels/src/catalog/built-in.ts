import type { CatalogPanel } from '@patchbay/contracts/panels'

/** A panel of our own, as its category lists it. Its id never changes: layouts hold it. */
export interface BuiltIn extends Pick<CatalogPanel, 'kind' | 'name' | 'description' | 'icon'> {
  readonly uuid: string
  readonly singleton?: true
  /** What does not say so is not built yet. */
  readonly availability?: 'ready'
}

export const CONTROL: readonly BuiltIn[] = [
  {
    uuid: '584119ef-c67c-4354-8cdb-1a2ca43e312f',
    kind: 'motor-control',
    name: 'Motor control',
    description: 'Sets speed and direction of a motor.',
    icon: 'rotate-cw',
  },
  {
    uuid: 'b7485ba4-780c-4262-ae42-101ee7b75905',
    kind: 'led-control',
    name: 'LED control',
    description: 'Switches LEDs and sets their colors.',
    icon: 'lightbulb',
  },
  {
    uuid: 'a0813f5d-3aff-46b0-9963-bfd8187359a9',
    kind: 'servo-control',
    name: 'Servo control',
    description: 'Turns a servo to an angle.',
    icon: 'gauge',
  },
  {
    uuid: '47ac352f-fb2e-4660-925e-c93ddab6c2b7',
    kind: 'drone-control',
    name: 'Drone control',
    description: 'Flies a drone.',
    icon: 'drone',
  },
  {
    uuid: 'dbb10b2e-1970-4fab-8734-d0167acd46d6',
    kind: 'speed-controller',
    name: 'Speed controller',
    description: 'Sets and calibrates an electronic speed controller.',
    icon: 'circle-gauge',
  },
  {
    uuid: '85e213de-5fe4-4cf1-93d2-e0bdab59aef6',
    kind: 'lights-control',
    name: 'Lights control',
    description: 'Switches the lights of a machine or a room.',
    icon: 'lamp',
  },
  {
    uuid: 'eb07d219-b2f9-41db-a2c8-1b9d71338b3d',
    kind: 'workcell-power',
    name: 'Workcell power',
    description: 'Switches the power of a workcell.',
    icon: 'power',
  },
  {
    uuid: '7ec2221c-2c6a-420f-b8e0-fbc83787a17b',
    kind: 'gpio-control',
    name: 'GPIO control',
    description: 'Reads and sets single pins.',
    icon: 'toggle-left',
  },
]

export const VISUALIZATION: readonly BuiltIn[] = [
  {
    uuid: '458b41b6-0833-44aa-aed9-ac38e693a391',
    kind: 'viewer-3d',
    name: '3D viewer',
    description: 'Shows a glTF model from an address or a file.',
    icon: 'box',
    singleton: true,
    availability: 'ready',
  },
  {
    uuid: '7adb0aae-afbd-47d6-a764-6b5d6f0b6ed1',
    kind: 'viewer-3d-board',
    name: '3D board viewer',
    description: 'Shows a board file as it will look.',
    icon: 'cpu',
  },
  {
    uuid: '843112f4-8c74-412d-be71-d87ea7b1c180',
    kind: 'imu',
    name: 'Inertial measurement',
    description: 'Shows orientation and acceleration.',
    icon: 'compass',
  },
  {
    uuid: 'f914fa42-2805-4bd4-b684-e3b497c31361',
    kind: 'time-of-flight',
    name: 'Time of flight',
    description: 'Shows distances that light measures.',
    icon: 'radar',
  },
  {
    uuid: '0138b7c8-5a44-4cec-a790-3cae7e29023a',
    kind: 'ultrasonic',
    name: 'Ultrasonic',
    description: 'Shows distances that sound measures.',
    icon: 'audio-waveform',
  },
  {
    uuid: '02c1b427-39e4-42d3-96fb-a11cbf2bc9b6',
    kind: 'line-follower',
    name: 'Line follower',
    description: 'Shows what the sensors of a line follower see.',
    icon: 'route',
  },
  {
    uuid: 'daf55c04-5c58-41e0-bdf3-8c827151fec5',
    kind: 'temperature-graph',
    name: 'Temperature graph',
    description: 'Draws temperatures over time.',
    icon: 'thermometer',
  },
  {
    uuid: 'b3d64022-6081-40a5-bce8-bc68df284c57',
    kind: 'chip-data',
    name: 'Chip data',
    description: 'Shows the registers and readings of a chip.',
    icon: 'microchip',
  },
  {
    uuid: '9cf70e74-143a-4802-9f5b-a3ce67297eb2',
    kind: 'chip-statistics',
    name: 'Chip statistics',
    description: 'Counts and compares what chips report.',
    icon: 'chart-column',
  },
  {
    uuid: 'c5fed36c-f06e-40b7-a761-7909c0c1e0ac',
    kind: 'oven-data',
    name: 'Oven data',
    description: 'Shows the profile of a reflow oven.',
    icon: 'flame',
  },
  {
    uuid: 'b502a17b-5fae-4ba0-a65a-f85b8eddc829',
    kind: 'pressure-temperature',
    name: 'Pressure and temperature',
    description: 'Shows a sensor of both.',
    icon: 'thermometer-sun',
  },
  {
    uuid: 'df78a754-e978-480d-82f4-ab7718985fcd',
    kind: 'ultra-wideband',
    name: 'Ultra-wideband',
    description: 'Shows where tags are in a room.',
    icon: 'radio',
  },
  {
    uuid: 'cd91bbb4-97b4-4621-8211-45aa971f832f',
    kind: 'sensor-monitor',
    name: 'Sensor monitor',
    description: 'Shows the readings of any other sensor.',
    icon: 'activity',
  },
]

export const DEVELOPMENT: readonly BuiltIn[] = [
  {
    uuid: '9e3d4c56-4c32-4f9e-9e9d-9d1c93abfc7f',
    kind: 'code-editor',
    name: 'Code editor',
    description: 'Edits a text with highlighting.',
    icon: 'file-code',
    availability: 'ready',
  },
  {
    uuid: '7ee068d7-e4db-4f94-be9d-7b4ba7dbf346',
    kind: 'schematic-editor',
    name: 'Schematic editor',
    description: 'Draws the circuit of a board.',
    icon: 'circuit-board',
    singleton: true,
  },
  {
    uuid: '087fd86b-ead3-430d-89dd-b46a9eb6257d',
    kind: 'script-runner',
    name: 'Script runner',
    description: 'Runs JavaScript and shows what it prints.',
    icon: 'square-play',
    availability: 'ready',
  },
]

export const MEDIA: readonly BuiltIn[] = [
  {
    uuid: 'aa2a1b13-ad48-4e00-9a67-53c48821b4fe',
    kind: 'live-stream',
    name: 'Live stream',
    description: 'Plays a live video.',
    icon: 'cast',
  },
  {
    uuid: 'f7d0e5c2-d77a-4290-8e2c-5894b53c34f7',
    kind: 'webrtc-player',
    name: 'WebRTC player',
    description: 'Plays one stream with little delay.',
    icon: 'video',
  },
  {
    uuid: '87026141-e5f3-4b22-aa61-1db1aa640d61',
    kind: 'zoom-camera',
    name: 'Zoom camera',
    description: 'Shows a camera with two streams, near and far.',
    icon: 'camera',
  },
]

export const UTILITY: readonly BuiltIn[] = [
  {
    uuid: '990b1a16-cf15-4c9f-af67-2f3a90b8b275',
    kind: 'system-log',
    name: 'System log',
    description: 'Lists what happens in the workspace, as it happens.',
    icon: 'scroll-text',
    availability: 'ready',
  },
  {
    uuid: 'bfd74c58-3b08-48e0-9d23-4eebcb5b4e66',
    kind: 'robot-log',
    name: 'Robot log',
    description: 'Lists what a robot reports.',
    icon: 'bot',
  },
  {
    uuid: '90120f29-8f0f-42f7-8797-eac0f18a3033',
    kind: 'battery-charger',
    name: 'Battery charger',
    description: 'Shows the state of a charger and its cells.',
    icon: 'battery-charging',
  },
  {
    uuid: 'e904fcf0-213c-461a-8f3f-e34025547950',
    kind: 'curriculum',
    name: 'Curriculum',
    description: 'Leads through a course step by step.',
    icon: 'graduation-cap',
  },
  {
    uuid: 'f5347e3e-7ffc-48d3-b0fb-caa5bcc0b537',
    kind: 'webview',
    name: 'Web view',
    description: 'Shows a page of the web.',
    icon: 'globe',
    availability: 'ready',
  },
  {
    uuid: '79b32c50-839a-48b1-9cdc-7abb3d75690e',
    kind: 'sandbox',
    name: 'Sandbox',
    description: 'Runs JavaScript in an isolated frame.',
    icon: 'square-terminal',
    availability: 'ready',
  },
]
