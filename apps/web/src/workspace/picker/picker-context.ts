import { createContext, useContext } from 'react'

export interface PickerRequest {
  /** The leaf that the panel shall go to; the first one unless given. */
  readonly leafId?: string
}

/** Opens the dialog in which a panel is chosen. */
export const PickerContext = createContext<(request: PickerRequest) => void>(() => undefined)

export function usePicker(): (request: PickerRequest) => void {
  return useContext(PickerContext)
}
