import { type EndpointSpec, openApiDocument } from '@patchbay/contracts/core'
import { WATCHDOG_ENDPOINTS } from '@patchbay/contracts/gateway'
import { getHealth, getReadiness } from '@patchbay/kernel/http'
import { VERSION } from './version.ts'

export const API_INFO = {
  title: 'Patchbay watchdog',
  version: VERSION,
  description: 'Starts, watches and stops one gateway. Every command answers with the status that it led to.',
}

/** What the watchdog describes, for whoever wants the document without running one. A test compares it with a live one. */
const ENDPOINTS: readonly EndpointSpec[] = [getHealth, getReadiness, ...WATCHDOG_ENDPOINTS]

export function watchdogOpenApi(): string {
  return JSON.stringify(openApiDocument(ENDPOINTS, API_INFO), null, 2)
}
