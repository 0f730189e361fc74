/** Who connects, as the broker asks. */
export interface DeviceIdentity {
  readonly id: number
  /** What all of its topics begin with. */
  readonly topic: string
}

/** What a broker asks of us. */
export interface BrokerPolicy {
  /** `undefined`: no such device, or another key. Rejects while that cannot be found out. */
  authenticate(username: string, key: string): Promise<DeviceIdentity | undefined>
  connected(device: DeviceIdentity): void
  /** Its last connection has ended. */
  disconnected(device: DeviceIdentity): void
}

export type MessageListener = (topic: string, payload: Uint8Array) => void

/** The MQTT broker, as the server uses it. Its devices are told apart by their own topics (`mayPublish`, `maySubscribe`). */
export interface Broker {
  readonly isUp: boolean
  /** At least once, to those who are connected; `retain`: to those who come later as well. Rejects with `broker_unavailable`. */
  publish(topic: string, payload: string, options?: { readonly retain?: boolean }): Promise<void>
  /** Everything that devices say, until the broker closes. */
  onMessage(listener: MessageListener): void
  /** Ends the connections of a device. */
  disconnect(device: number): void
  /** Before the first device can connect. */
  setPolicy(policy: BrokerPolicy): void
  close(): Promise<void>
}
