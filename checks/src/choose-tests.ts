import { listTestFiles, reachable, readImports } from './test-files.ts'
import { readPackages, type WorkspacePackage } from './workspace.ts'

/**
 * Which tests of whole systems are about which package. A journey starts the whole server, so by what it imports it would follow from
 * every change; the package that it tells about calls for it.
 */
const JOURNEYS: Readonly<Record<string, RegExp>> = {
  'packages/client': /^e2e\/test\/client\//,
  'packages/oauth-client': /^e2e\/test\/oauth-client\//,
  'packages/package-manager': /^e2e\/test\/(?:client-packages|registry-journey)\//,
  'areas/content': /^e2e\/test\/files\//,
  'areas/gateway': /^e2e\/test\/(?:gateway|oauth-client)\//,
  'areas/identity': /^e2e\/test\/identity\//,
  'areas/panels': /^e2e\/test\/panel-(?:control|nodes)\//,
  'areas/registry': /^e2e\/test\/(?:client-packages|registry-journey)\//,
  'areas/viewer': /^e2e\/test\/viewer-tools\//,
  'apps/cli': /^e2e\/test\/(?:client\/cli-|workspace-cli\/)/,
  'apps/viewer': /^e2e\/test\/viewer-/,
  // Its pages are built, not imported.
  'apps/web': /^(?:apps\/web\/test|e2e\/test\/(?:[a-z]+-)?pages)\//,
  clients: /^e2e\/test\/python-client\//,
  deploy: /^e2e\/test\/deploy\//,
}

/** Whatever these hold is part of every test. */
const EVERYWHERE = /^(?:packages\/testkit\/src\/|[^/]+\.(?:json|yaml|ts)$)/

/**
 * The tests that reach a changed file by their imports, and the journeys about the changed packages. A changed file that
 * nothing imports (a snapshot, a table of SQL, a manifest) calls for all tests of its package.
 */
export function chooseTests(root: string, changed: readonly string[]): string[] {
  const tests = listTestFiles(root).filter(({ isDeep }) => !isDeep)
  if (changed.some((path) => EVERYWHERE.test(path))) return tests.map(({ path }) => path)
  const relevant = changed.filter((path) => !path.endsWith('.md'))
  const imports = readImports(root)
  const packages = readPackages(root)
  const homeOf = (path: string) => findHome(packages, path)
  const sources = new Set(relevant.filter((path) => /\.tsx?$/.test(path)))
  const wholePackages = new Set(relevant.filter((path) => !sources.has(path)).map(homeOf))
  const journeys = [...new Set(relevant.map(homeOf))].flatMap((home) => JOURNEYS[home] ?? [])
  return tests
    .filter(({ path }) => {
      const isJourney = path.startsWith('e2e/')
      return (
        sources.has(path) ||
        wholePackages.has(homeOf(path)) ||
        journeys.some((pattern) => pattern.test(path)) ||
        (!isJourney && reachable(path, imports).some((file) => sources.has(file)))
      )
    })
    .map(({ path }) => path)
}

function findHome(packages: readonly WorkspacePackage[], path: string): string {
  return packages.find(({ folder }) => path.startsWith(`${folder}/`))?.folder ?? path.split('/')[0] ?? ''
}
