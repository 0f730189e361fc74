import { group } from '../instrument-panel/arrange.tsx'
import { commands, instrumentPanel, optional, reads } from '../instrument-panel/declare.ts'
import { choice, light, number, slider, swatch } from '../instrument-panel/nodes.tsx'
import { plot } from '../instrument-panel/over-time.tsx'
import { words } from './words.ts'

export const ledControl = instrumentPanel({
  kind: 'led-control',
  binds: {
    light: commands(/^(light|led|strip)/, 'light'),
    effect: optional(commands(/^effect$/, 'select')),
    effectSpeed: optional(commands(/^effect_speed$/, 'number')),
    output: optional(reads(/^output$/)),
    current: optional(reads(/^current$/, { deviceClass: 'current' })),
  },
  view: (of) => [
    group(words.color, light(of.light)),
    group(words.effect, choice(of.effect), slider(of.effectSpeed), swatch(of.output), number(of.current)),
  ],
})

export const lightsControl = instrumentPanel({
  kind: 'lights-control',
  binds: {
    lights: commands(/./, 'light'),
    scene: optional(commands(/^(scene|preset)$/, 'select')),
    fade: optional(commands(/^(fade|transition)$/, 'number')),
    illuminance: optional(reads(/^illuminance$/, { deviceClass: 'illuminance' })),
    power: optional(reads(/^power$/, { deviceClass: 'power' })),
  },
  view: (of) => [
    group(words.scene, choice(of.scene), slider(of.fade), number(of.illuminance), number(of.power)),
    ...of.lights.map((each) => group(each.label, light(each))),
    plot(words.overTime, [of.illuminance, of.power], { seconds: 60 }),
  ],
})
