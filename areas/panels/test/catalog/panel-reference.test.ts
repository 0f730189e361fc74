import {
  type CatalogPanel,
  DEVICE_PANELS,
  type DevicePanelRoles,
  PANEL_CATEGORIES,
} from '@patchbay/contracts/panels'
import { expect, test } from 'vitest'
import { BUILT_IN_PANELS } from '../../src/catalog/built-in-panels.ts'

const ROLES: Readonly<Record<string, DevicePanelRoles>> = DEVICE_PANELS

test('[D-450] the reference of panels in docs is the catalog', async () => {
  await expect(panelReference()).toMatchFileSnapshot('../../../../docs/reference/panels.md')
})

function panelReference(): string {
  const sections = PANEL_CATEGORIES.flatMap((category) => [
    `## ${category}`,
    ...BUILT_IN_PANELS.filter((panel) => panel.category === category).map(describePanel),
  ])
  return [INTRODUCTION, ...sections, ''].join('\n\n')
}

function describePanel({ id, kind, name, description, singleton, availability }: CatalogPanel): string {
  const roles = Object.values(ROLES[kind] ?? {})
  const parts = roles.map(({ title, isSeveral }) => (isSeveral === true ? `${title} (several)` : title))
  return [
    `### ${name}`,
    [
      description,
      ...(singleton ? ['At most one in a workspace.'] : []),
      ...(availability === 'planned' ? ['Not available yet.'] : []),
    ].join(' '),
    `Kind \`${kind}\`, id \`${id}\`.`,
    ...(parts.length === 0 ? [] : [`Shows: ${parts.join(', ')}. [What fits](device-classes.md#${kind})`]),
  ].join('\n\n')
}

const INTRODUCTION = `# Panels

What a workspace can open: with Ctrl+K and the panel's name, or over HTTP with its id ([Drive a workspace](../guides/drive-a-workspace.md)). Organizations can add pages of their own as panels; \`GET /api/panels/catalog?owner=…\` lists them too.`
