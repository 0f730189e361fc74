import type { BuiltIn } from './built-in.ts'

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
