import { stepBoxes } from '@patchbay/web/test/step-boxes'

const GRAY = [0.62, 0.66, 0.72] as const

/** A board in an open case, as a STEP file. */
export function stepCase(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    stepBoxes([
      { name: 'Floor', size: [80, 56, 2], color: GRAY },
      { name: 'Front wall', size: [80, 2, 22], at: [0, 0, 2], color: GRAY },
      { name: 'Back wall', size: [80, 2, 22], at: [0, 54, 2], color: GRAY },
      { name: 'Left wall', size: [2, 52, 22], at: [0, 2, 2], color: GRAY },
      { name: 'Right wall', size: [2, 52, 22], at: [78, 2, 2], color: GRAY },
      { name: 'Board', size: [70, 46, 1.6], at: [5, 5, 7], color: [0.1, 0.5, 0.25] },
      { name: 'Controller', size: [12, 12, 1.5], at: [34, 22, 8.6], color: [0.12, 0.12, 0.14] },
      { name: 'Connector', size: [9, 8, 3.4], at: [5, 24, 8.6], color: [0.75, 0.75, 0.78] },
      { name: 'Regulator', size: [7, 6, 2], at: [20, 12, 8.6], color: [0.12, 0.12, 0.14] },
      { name: 'Capacitor', size: [5, 5, 8], at: [58, 36, 8.6], color: [0.75, 0.45, 0.15] },
      { name: 'Capacitor', size: [5, 5, 8], at: [66, 36, 8.6], color: [0.75, 0.45, 0.15] },
    ]),
  )
}
