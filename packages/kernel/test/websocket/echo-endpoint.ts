import type { Endpoint } from '../../src/websocket/index.ts'

/** Answers every text with the same text. */
export const echo: Endpoint = {
  path: '/echo',
  maxMessageBytes: 1024,
  async onMessage(peer, text) {
    await peer.send(text)
  },
}
