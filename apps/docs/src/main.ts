import { buildSite } from './build.ts'
import { forgetHash, hashSources, notedHash, noteHash } from './sources.ts'

// The generator would otherwise tell its makers that it runs.
process.env['ASTRO_TELEMETRY_DISABLED'] = '1'
// Nothing to do where the same was built before: the whole takes a quarter of a minute.
const hash = await hashSources()
if ((await notedHash()) !== hash) {
  await forgetHash()
  await buildSite()
  await noteHash(hash)
}
