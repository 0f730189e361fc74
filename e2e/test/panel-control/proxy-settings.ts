/** Lets web views load pages of this machine through the proxy, which runs without being asked for. */
export const PROXY_SETTINGS = { PATCHBAY_OUTBOUND_NETWORKS: '127.0.0.0/8' }
