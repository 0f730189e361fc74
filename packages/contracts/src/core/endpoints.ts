import { getAbout } from './about.ts'
import type { EndpointSpec } from './endpoint.ts'
import { getServices } from './services.ts'

/** What every server answers about itself, in the order of the reference. */
export const CORE_ENDPOINTS: readonly EndpointSpec[] = [getAbout, getServices]
