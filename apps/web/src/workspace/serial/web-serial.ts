/** What tells kinds of boards apart. A port that is not on USB has neither. */
export interface PortKind {
  readonly usbVendorId?: number | undefined
  readonly usbProductId?: number | undefined
}

/** As much of Web Serial as is used; TypeScript does not know it. */
export interface WebSerialPort {
  /** Another one after an error that does not end the port; `null` when it is gone. */
  readonly readable: ReadableStream<Uint8Array> | null
  readonly writable: WritableStream<Uint8Array> | null
  open(options: { readonly baudRate: number; readonly bufferSize: number }): Promise<void>
  close(): Promise<void>
  /** Missing in older browsers. */
  forget?(): Promise<void>
  getInfo(): PortKind
}

export interface WebSerial {
  /** Those that the person has let this site use and that are plugged in. */
  getPorts(): Promise<readonly WebSerialPort[]>
  requestPort(options?: { readonly filters: readonly PortKind[] }): Promise<WebSerialPort>
  addEventListener(type: 'connect', listener: () => void): void
}

export function webSerial(): WebSerial | undefined {
  return 'serial' in navigator ? (navigator.serial as WebSerial) : undefined
}
