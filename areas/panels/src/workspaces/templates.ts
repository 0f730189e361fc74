import type { WorkspaceTemplateId } from '@patchbay/contracts/panels'
import { SAMPLE } from './sample.ts'
import type { Template } from './template.ts'

const BLINK = `// Runs in the script runner: no board needed.
let isOn = false
for (let step = 0; step < 6; step += 1) {
  isOn = !isOn
  console.log(step, isOn ? 'LED on' : 'LED off')
}
`

const CONTROL_LOOP = `// A speed controller and a motor, both simulated. Change the gains and run it again.
const gains = { proportional: 0.8, integral: 0.25 }
const target = 120 // revolutions per minute

let speed = 0
let sum = 0
for (let step = 0; step < 20; step += 1) {
  const error = target - speed
  sum += error
  const drive = gains.proportional * error + gains.integral * sum
  speed += 0.3 * (drive - 0.5 * speed)
  console.log(String(step).padStart(2), speed.toFixed(1).padStart(7), '#'.repeat(Math.max(0, Math.round(speed / 4))))
}
`

const PLOT = `// Plots one period of a sine with characters.
for (let step = 0; step <= 20; step += 1) {
  const value = Math.sin((step / 20) * 2 * Math.PI)
  console.log(' '.repeat(Math.round(20 + 20 * value)) + '*')
}
`

/** What workspaces can begin with, by the ids of the contract. */
export const TEMPLATES: Readonly<Record<WorkspaceTemplateId, Template>> = {
  sample: SAMPLE,
  'board-bring-up': {
    layout: {
      row: [
        [0.25, { tabs: [{ kind: 'files' }] }],
        [
          0.45,
          {
            column: [
              [0.65, { tabs: [{ kind: 'code-editor' }] }],
              [0.35, { tabs: [{ kind: 'script-runner', state: { code: BLINK } }, { kind: 'system-log' }] }],
            ],
          },
        ],
        [0.3, { tabs: [{ kind: 'viewer-3d' }, { kind: 'webview', title: 'Datasheet' }] }],
      ],
    },
    files: {
      'README.md': `# Board bring-up

What it is, which revision, who has it on their desk.

- \`bring-up.md\`: the steps, in order. Tick them off as you go.
- \`measurements.csv\`: every number that you measure, with the point where you measured it.
- \`firmware/main.c\`: the first program that runs on it.
`,
      'bring-up.md': `# Bring-up

## Before power
- [ ] Look: polarity, bridges, parts that are missing or turned
- [ ] Resistance from each rail to ground, noted in measurements.csv
- [ ] Current limit of the supply at 100 mA

## First power
- [ ] Each rail within 5 %
- [ ] Nothing gets warm within a minute
- [ ] Current noted

## First light
- [ ] The debugger finds the chip
- [ ] firmware/main.c blinks
- [ ] The serial port says hello
`,
      'measurements.csv':
        'point,expected,measured,unit,note\n3V3,3.3,,V,\nVIN,5.0,,V,\nidle current,40,,mA,\n',
      'firmware/main.c': `#include <stdint.h>

/* Put the port and the pin of your LED here. */
#define LED_PIN 13

static void wait(volatile uint32_t count) {
  while (count--) {
  }
}

int main(void) {
  for (;;) {
    /* toggle LED_PIN */
    wait(400000);
  }
}
`,
    },
  },
  robot: {
    layout: {
      row: [
        [0.22, { tabs: [{ kind: 'files' }] }],
        [
          0.43,
          {
            column: [
              [
                0.6,
                { tabs: [{ kind: 'script-runner', title: 'Control loop', state: { code: CONTROL_LOOP } }] },
              ],
              [0.4, { tabs: [{ kind: 'system-log', state: { filter: 'all' } }] }],
            ],
          },
        ],
        [
          0.35,
          {
            tabs: [
              { kind: 'viewer-3d', title: 'Model' },
              { kind: 'webview', title: 'Camera' },
            ],
          },
        ],
      ],
    },
    files: {
      'README.md': `# Robot

- \`main.js\`: the control loop, as in the panel beside. It runs without a robot.
- \`config/robot.json\`: wheels, motors and limits.
- Put models into \`models/\` and open them in the 3D viewer.
`,
      'main.js': CONTROL_LOOP,
      'config/robot.json': `${JSON.stringify(
        {
          name: 'rover',
          wheels: { diameterMm: 65, baseMm: 140 },
          motors: [
            { id: 'left', maxRpm: 200, isReversed: false },
            { id: 'right', maxRpm: 200, isReversed: true },
          ],
          limits: { currentA: 1.5, stopAfterMs: 500 },
        },
        null,
        2,
      )}\n`,
    },
  },
  course: {
    layout: {
      row: [
        [0.3, { tabs: [{ kind: 'files' }] }],
        [
          0.7,
          {
            column: [
              [0.6, { tabs: [{ kind: 'script-runner', title: 'Try it', state: { code: BLINK } }] }],
              [0.4, { tabs: [{ kind: 'sandbox' }, { kind: 'system-log' }] }],
            ],
          },
        ],
      ],
    },
    files: {
      'README.md': `# Course

Lessons are Markdown files in \`lessons/\`, in the order of their numbers. Learners read one and try it in the script runner.
`,
      'main.js': BLINK,
      'plot.js': PLOT,
      'lessons/01-blink.md': `---
title: Blink
order: 1
---

# Blink

Everything begins with a light. Run \`main.js\` and watch what it prints.

1. How many times does the LED change?
2. Make it change ten times.
`,
      'lessons/02-plot.md': `---
title: Plot
order: 2
---

# Plot

Numbers are easier to read as a picture. Run \`plot.js\`.

1. Draw two periods instead of one.
2. Draw a triangle.
`,
    },
  },
}
