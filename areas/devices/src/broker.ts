/** Who connects, as the broker asks. */
export interface DeviceIdentity {
  readonly id: number
  /** What all of its topics begin with. */
  readonly topic: string
  /** What the broker knows it by. */
  readonly username: string
}

/** What a broker asks of us. */
export interface BrokerPolicy {
  /** `undefined`: no such device, or another key. Rejects while that cannot be found out. */
  authenticate(username: string, key: string): Promise<DeviceIdentity | undefined>
  /** Of one that has shown its key before. */
  find(username: string): Promise<DeviceIdentity | undefined>
  connected(device: DeviceIdentity): void
  /** It listens, for the first time on this connection. Brokers beside the server do not say so. */
  subscribed(device: DeviceIdentity): void
  /** Its last connection has ended. */
  disconnected(device: DeviceIdentity): void
}

export type MessageListener = (topic: string, payload: Uint8Array) => void

/** Ends when it is disposed. */
export interface Subscription extends Disposable {
  /** Messages come from then on. */
  readonly isActive: Promise<void>
}

/** The MQTT broker, as the server uses it. Its devices are told apart by their own topics (`mayPublish`, `maySubscribe`). */
export interface Broker {
  readonly isUp: boolean
  /** Other nodes use it as well, and devices stay connected to it when this one ends. */
  readonly isShared: boolean
  /** At least once, to those who are connected: nothing is kept for those who come later. Rejects with `broker_unavailable`. */
  publish(topic: string, payload: string): Promise<void>
  /** What devices say on the topics that are subscribed to, until the broker closes. */
  onMessage(listener: MessageListener): void
  /** Everything below a topic. Subscriptions of the same one share what they cost, and outlast the broker's outages. */
  subscribe(topic: string): Subscription
  /** Ends the connections of a device. */
  disconnect(device: Pick<DeviceIdentity, 'id' | 'username'>): void
  /** Before the first device can connect. */
  setPolicy(policy: BrokerPolicy): void
  close(): Promise<void>
}
