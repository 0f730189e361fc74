import type { DeviceChannel } from '@patchbay/contracts/devices'
import type { DevicePanelKind } from '@patchbay/contracts/panels'
import type { ReactNode } from 'react'
import type { Binds, Bound, BoundRoles, Match } from './bindings.ts'

/** A panel of devices: which channels it binds, and the instruments that show them. */
export interface InstrumentPanel {
  readonly kind: DevicePanelKind
  readonly binds: Readonly<Record<string, Match>>
  readonly view: (
    bound: Readonly<Record<string, Bound | readonly Bound[] | undefined>>,
  ) => readonly ReactNode[]
}

interface Declaration<Kind extends DevicePanelKind> {
  readonly kind: Kind
  readonly binds: Binds<Kind>
  /** Instruments from top left to bottom right; one whose part is empty is left out. */
  readonly view: (bound: BoundRoles<Kind>) => readonly ReactNode[]
}

export function instrumentPanel<Kind extends DevicePanelKind>({
  kind,
  binds,
  view,
}: Declaration<Kind>): InstrumentPanel {
  // The engine resolves every part of this kind, several where the table says so.
  return { kind, binds, view: (bound) => view(bound as unknown as BoundRoles<Kind>) }
}

type About = Pick<Match, 'deviceClass' | 'units' | 'platform'>

/** A channel that is read, proposed by its name or what it measures. */
export function reads(names: RegExp, about: About = {}): Match {
  return { isCommand: false, names, ...about }
}

/** A channel that is told something. */
export function commands(names: RegExp, platform: DeviceChannel['platform'], about: About = {}): Match {
  return { isCommand: true, names, platform: [platform], ...about }
}

/** The panel is whole without it. */
export function optional(match: Match): Match {
  return { ...match, isOptional: true }
}
