import { DEFAULT_PORTS, localAddress } from '@patchbay/contracts/limits'
import { expect, test } from 'vitest'
import { chooseGateway, gatewayAddresses } from '../../src/flow/addresses.ts'

test.for([
  ['https://gw.example.test', 'https://gw.example.test/callback', 'wss://gw.example.test/ws'],
  ['https://gw.example.test/', 'https://gw.example.test/callback', 'wss://gw.example.test/ws'],
  [
    'https://gw.example.test:8443/a/b/',
    'https://gw.example.test:8443/a/b/callback',
    'wss://gw.example.test:8443/a/b/ws',
  ],
  ['http://127.0.0.1:8795', 'http://127.0.0.1:8795/callback', 'ws://127.0.0.1:8795/ws'],
])('[B-405] %s', ([gatewayUrl = '', redirectUri, socketUrl]) => {
  expect(gatewayAddresses(gatewayUrl)).toEqual({ redirectUri, socketUrl })
})

test('[B-405] the WebSocket can be somewhere else', () => {
  expect(gatewayAddresses('https://gw.example.test', 'ws://localhost:9/inside')).toEqual({
    redirectUri: 'https://gw.example.test/callback',
    socketUrl: 'ws://localhost:9/inside',
  })
})

test.for([
  ['http://gw.example.test', undefined, /^gatewayUrl .*encrypted/],
  ['https://127.0.0.1.example.test', 'ws://gw.example.test/ws', /^gatewayWsUrl .*encrypted/],
  ['https://ada:secret@gw.example.test', undefined, /^gatewayUrl .*credentials/],
  ['https://gw.example.test/#x', undefined, /^gatewayUrl .*fragment/],
  ['https://gw.example.test/?x=1', undefined, /^gatewayUrl .*query/],
  ['https://gw.example.test', 'https://gw.example.test/ws', /^gatewayWsUrl .*wss:/],
  ['gw.example.test', undefined, /^gatewayUrl .*https:/],
] as const)('[B-404] %s with %s is refused', ([gatewayUrl, gatewayWsUrl, message]) => {
  const attempt = () => gatewayAddresses(gatewayUrl, gatewayWsUrl)
  expect(attempt).toThrow(TypeError)
  expect(attempt).toThrow(message)
})

test('[B-406] the options come first, then the environment, then this machine', () => {
  expect(chooseGateway('https://a.example.test', 'https://b.example.test')).toBe('https://a.example.test')
  expect(chooseGateway(undefined, 'https://b.example.test')).toBe('https://b.example.test')
  expect(chooseGateway(undefined, undefined)).toBe('http://localhost:8795')
  expect(chooseGateway(undefined, '')).toBe('http://localhost:8795')
  // As a gateway that was not told its public address spells it.
  expect(chooseGateway(undefined, '')).toBe(localAddress(DEFAULT_PORTS.gateway))
})
