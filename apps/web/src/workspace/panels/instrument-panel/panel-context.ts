import { createContext, useCallback, useContext, useMemo, useSyncExternalStore } from 'react'
import { memberOf } from '../../devices/addresses.ts'
import { type DeviceStore, type DevicesSnapshot, disabledReason } from '../../devices/device-store.ts'
import type { ControlState } from '../../instruments/control.tsx'
import type { Reading } from '../../instruments/reading.ts'
import type { Bound } from './bindings.ts'

interface DevicePanel {
  readonly store: DeviceStore
  readonly snapshot: DevicesSnapshot
  /** False for somebody who may only look. */
  readonly mayChange: boolean
  /** Whether anybody can see it. */
  readonly isShown: boolean
}

export const DevicePanelContext = createContext<DevicePanel | undefined>(undefined)

export function useDevicePanel(): DevicePanel {
  const panel = useContext(DevicePanelContext)
  if (panel === undefined) throw new Error('no DevicePanelContext around this component')
  return panel
}

export function useReading({ address, member }: Bound): Reading {
  const { store } = useDevicePanel()
  const subscribe = useCallback((listener: () => void) => store.follow(address, listener), [store, address])
  const reading = useSyncExternalStore(subscribe, () => store.reading(address))
  return useMemo(() => (member === undefined ? reading : readingOf(reading, member)), [reading, member])
}

function readingOf(reading: Reading, member: string): Reading {
  const value = memberOf(reading.value, member)
  return { ...reading, value: value === undefined ? null : (value as Reading['value']) }
}

/** What a text that is made of the latest readings of some channels is now. */
export function useReadingText(
  bound: readonly Bound[],
  make: (readings: readonly Reading[]) => string,
): string {
  const { store } = useDevicePanel()
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = bound.map(({ address }) => store.follow(address, listener))
      return () => {
        for (const end of ends) end()
      }
    },
    [store, bound],
  )
  return useSyncExternalStore(subscribe, () => make(bound.map(({ address }) => store.reading(address))))
}

export interface Control {
  readonly state: ControlState
  readonly send: (value: number | string | boolean) => void
}

export function useControl(bound: Bound): Control {
  const { store, snapshot, mayChange } = useDevicePanel()
  const { address, wrap } = bound
  const subscribe = useCallback((listener: () => void) => store.follow(address, listener), [store, address])
  const { isPending, failed } = useSyncExternalStore(subscribe, () => store.sending(address))
  const disabled = disabledReason(snapshot, address, mayChange)
  return {
    state: {
      pending: isPending,
      ...(disabled !== undefined && { disabled }),
      ...(failed !== undefined && { failed }),
    },
    send: (value) => store.send(address, wrap === undefined ? value : wrap(value)),
  }
}
