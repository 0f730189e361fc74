const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** `constant_current` as people read it. */
function option(id: string): string {
  const text = id.replaceAll(/[_-]+/g, ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What all panels of devices say. */
export const words = {
  option,
  bar: 'Devices of this panel',
  lamp: { on: 'On', off: 'Off' },
  light: {
    member: (light: string, member: string) =>
      ({
        on: light,
        brightness: `${light}: brightness`,
        color_temp: `${light}: white`,
        color: `${light}: color`,
      })[member] ?? `${light}: ${member}`,
  },
  status: {
    online: (title: string) => title,
    offline: (title: string) => `${title}: offline`,
    never: (title: string) => `${title}: never connected`,
    gone: (name: string) => `${name}: not in this workspace`,
  },
  loading: 'Loading the devices',
  failed: {
    title: 'The devices could not be loaded',
    text: 'The server did not answer. Nothing is lost.',
    retry: 'Try again',
  },
  linkDown: {
    title: 'The server hears no devices at the moment',
    text: 'Values are old until it does. It tries again by itself.',
  },
  none: {
    title: 'No devices yet',
    text: 'Add one on the command line. It prints a key and a few lines of code that send a first value.',
    command: (workspace: string) => `patchbay device add ${workspace} my-device`,
    copy: 'To add a device',
    simulated: 'No hardware at hand? A bench of simulated devices has everything these panels show.',
    simulate: (workspace: string) => `patchbay device simulate ${workspace}`,
    copySimulate: 'To simulate a bench',
  },
  unbound: {
    title: (panel: string) => `${panel} is not connected`,
    fits: 'This device has what the panel shows.',
    fitMany: 'These devices have what the panel shows.',
    noneFits: 'No device has everything this panel shows. Choose its channels yourself.',
    mayOnlyLook: 'Someone who may change this workspace can connect it to a device.',
    use: (title: string) => `Use ${title}`,
    choose: 'Choose channels…',
  },
  bind: {
    open: 'Channels…',
    title: 'Channels of this panel',
    device: 'Device',
    propose: 'Propose',
    lead: 'Each part of the panel shows a channel of a device. Choose a device to have fitting ones proposed; parts can stay empty, and can come from several devices.',
    nothing: 'Not connected',
    needed: 'required',
    save: 'Save',
    cancel: 'Cancel',
    channel: (device: string, channel: string) => `${device} · ${channel}`,
    gone: (address: string) => `${address} (not found)`,
    most: (count: number) => `At most ${count}.`,
  },
  missing: (parts: readonly string[]) => `Not connected: ${parts.join(', ')}`,
  arm: {
    open: 'Arm…',
    title: (devices: string) => `Arm ${devices}`,
    text: 'Armed, it moves or switches power when somebody tells it to. Make sure that nobody can be hurt.',
    time: 'For',
    minutes: (count: number) => counted(count, 'minute', 'minutes'),
    agents: 'Scripts and agents may command it too',
    confirm: 'Arm',
    cancel: 'Cancel',
    armed: (by: string) => `Armed by ${by}, `,
    left: (minutes: number, seconds: number) => `${minutes}:${String(seconds).padStart(2, '0')} left`,
    forAgents: 'for agents too',
    disarm: 'Disarm',
    failed: (title: string) => `Not armed: ${title}`,
    notDisarmed: (title: string) => `Not disarmed: ${title}`,
  },
  replay: { open: 'Replay: look at what happened', past: (time: string) => `Past, ${time}` },
  sweep: { label: 'Sweep', begin: 'Sweep from end to end', end: 'End the sweep' },
  pin: { onLabel: 'High', offLabel: 'Low' },
  bit: (register: string, bit: string) => `${register} ${bit}`,
  register: (value: number) => {
    const digits = value.toString(16).toUpperCase()
    const bits = value.toString(2)
    const width = Math.ceil(bits.length / 4) * 4
    const nibbles = bits.padStart(width, '0').match(/.{4}/g) ?? []
    return `0x${digits.padStart(4, '0')} · ${nibbles.join(' ')}`
  },
  map: { trail: 'Trail', accuracy: 'Accuracy' },
  sequence: { label: 'In sequence', begin: 'Turn on one by one', end: 'Stop the sequence' },
  stop: {
    button: 'Emergency stop',
    title: 'Emergency stop: all devices of this workspace are stopped',
    by: (name: string, time: string) => `${name}, ${time}.`,
    reason: (reason: string) => `“${reason}”`,
    release: 'Release…',
    question: 'Release the emergency stop?',
    text: 'Devices take commands again. Nothing starts by itself, and each must be armed anew.',
    confirm: 'Release',
    past: 'Go back to live to release it.',
    failed: (title: string) => `The devices were not stopped: ${title}`,
  },
}
