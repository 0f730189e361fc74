// The words of the contract, without loading what describes the whole wire.
export const EXPORTS = ['pdf', 'netlist', 'bom', 'step', 'glb', 'gerbers'] as const
export type ExportKind = (typeof EXPORTS)[number]
export const SIDES = ['top', 'bottom', 'left', 'right', 'front', 'back'] as const
export type Side = (typeof SIDES)[number]
