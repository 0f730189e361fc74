import type { Violation, WorkspacePackage } from './workspace.ts'

/** For each kind of folder, the folders it may depend on. Nothing else is allowed. */
const ARROWS: readonly { readonly from: RegExp; readonly to: readonly RegExp[] }[] = [
  { from: /^packages\/contracts$/, to: [] },
  { from: /^packages\/(primitives|testkit|dev-identity-provider|kicad-format)$/, to: [] },
  { from: /^packages\/kernel$/, to: [/^packages\/(contracts|primitives)$/] },
  { from: /^packages\/(workspace-layout|device-kit)$/, to: [/^packages\/contracts$/] },
  { from: /^packages\/device-simulator$/, to: [/^packages\/(contracts|device-kit)$/] },
  { from: /^packages\/package-format$/, to: [/^packages\/(contracts|primitives)$/] },
  { from: /^packages\/oauth-client$/, to: [/^packages\/(contracts|primitives)$/] },
  { from: /^packages\/client$/, to: [/^packages\/(contracts|primitives|workspace-layout)$/] },
  { from: /^packages\/package-archive$/, to: [/^packages\/(primitives|package-format)$/] },
  { from: /^packages\/package-trust$/, to: [] },
  {
    from: /^packages\/package-manager$/,
    to: [/^packages\/(contracts|primitives|client|package-format|package-archive|package-trust)$/],
  },
  // What a package is, how its archive is read and how an index is signed is the same for clients and the service.
  {
    from: /^areas\/registry$/,
    to: [/^packages\/(contracts|primitives|kernel|package-format|package-archive|package-trust)$/],
  },
  // A change to a layout must have the same result in the browser that shows it and the service that keeps it.
  { from: /^areas\/panels$/, to: [/^packages\/(contracts|primitives|kernel|workspace-layout)$/] },
  // What a device says means the same on the wire, in the service and in the browser.
  { from: /^areas\/devices$/, to: [/^packages\/(contracts|primitives|kernel|device-kit)$/] },
  // Netlists are read where files are.
  { from: /^areas\/boards$/, to: [/^packages\/(contracts|primitives|kernel|kicad-format|package-archive)$/] },
  { from: /^areas\//, to: [/^packages\/(contracts|primitives|kernel)$/] },
  {
    from: /^apps\/web$/,
    to: [/^packages\/(contracts|primitives|client|package-format|workspace-layout|device-kit|kicad-format)$/],
  },
  {
    from: /^apps\/(server|gateway|watchdog|eda-worker)$/,
    to: [/^packages\/(contracts|primitives|kernel)$/, /^areas\//],
  },
  {
    from: /^apps\/viewer$/,
    to: [/^packages\/(contracts|primitives|kernel|client|kicad-format)$/, /^areas\/viewer$/],
  },
  {
    from: /^apps\/cli$/,
    to: [/^packages\/(?!testkit|dev-)/, /^apps\/(server|gateway|watchdog|eda-worker|viewer|dev)$/],
  },
  // Strangers have the published packages; the development provider stands in for theirs.
  {
    from: /^examples\//,
    to: [
      /^packages\/(contracts|primitives|client|oauth-client|package-format|package-archive|package-trust|package-manager|workspace-layout|device-kit|device-simulator|kicad-format|dev-identity-provider|testkit)$/,
    ],
  },
  {
    from: /^apps\/dev$/,
    to: [
      /^packages\/(contracts|primitives|kernel|device-kit|device-simulator|dev-identity-provider)$/,
      /^apps\/(server|eda-worker|web)$/,
    ],
  },
  // It reads documents of the checkout, not packages.
  { from: /^apps\/docs$/, to: [] },
  { from: /^release$/, to: [] },
  { from: /^(e2e|bench|checks)$/, to: [/^packages\//, /^areas\//, /^apps\//, /^release$/] },
]

/** Tests of any package but the contracts may start real engines. */
const TEST_ONLY = /^packages\/(testkit|dev-identity-provider)$/

/** Compares what the manifests declare with the arrows of the architecture. */
export function checkArrows(packages: readonly WorkspacePackage[]): Violation[] {
  const folders = new Map(packages.map(({ name, folder }) => [name, folder]))
  return packages.flatMap(({ folder, dependencies, devDependencies }) => {
    const file = `${folder}/package.json`
    const rule = ARROWS.find(({ from }) => from.test(folder))
    if (rule === undefined) return [{ file, message: `no arrow is drawn for ${folder}` }]
    const refused = (names: readonly string[], also?: RegExp) =>
      names
        .map((name) => folders.get(name))
        .filter((target) => target !== undefined)
        .filter((target) => !rule.to.some((to) => to.test(target)) && also?.test(target) !== true)
        .map((target) => ({ file, message: `${folder} must not depend on ${target}` }))
    return [...refused(dependencies), ...refused(devDependencies, TEST_ONLY)]
  })
}
