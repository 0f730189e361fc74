import { GUARDED_CLASSES } from '@patchbay/device-kit'
import { expect, test } from 'vitest'
import { DECLARATIONS } from '../../src/workspace/panels/devices/device-panels.ts'
import { type RoleOf, rolesOf } from '../../src/workspace/panels/instrument-panel/bindings.ts'

test('[W-960] the reference of device classes in docs is what the panels look for', async () => {
  await expect(reference()).toMatchFileSnapshot('../../../../docs/reference/device-classes.md')
})

function reference(): string {
  const panels = DECLARATIONS.map(({ kind, binds }) => ({ kind, roles: rolesOf(kind, binds) }))
  const classes = Map.groupBy(
    panels.flatMap(({ kind, roles }) =>
      roles.flatMap(({ match }) =>
        match.deviceClass === undefined ? [] : [{ kind, name: match.deviceClass }],
      ),
    ),
    ({ name }) => name,
  )
  const rows = [...new Set([...classes.keys(), ...GUARDED_CLASSES])].toSorted().map((name) => {
    const kinds = [...new Set(classes.get(name)?.map(({ kind }) => `[${kind}](#${kind})`))]
    return `| \`${name}\` | ${kinds.join(', ')} | ${GUARDED_CLASSES.has(name) ? 'yes' : ''} |`
  })
  return [
    INTRODUCTION,
    `| class | panels that look for it | guarded |\n|---|---|---|\n${rows.join('\n')}`,
    '## What each panel looks for',
    'Of the channels that fit a part, the one whose name matches is proposed first; any other one can be chosen in the panel.',
    ...panels.flatMap(({ kind, roles }) => [`### ${kind}`, table(roles)]),
    '',
  ].join('\n\n')
}

function table(roles: readonly RoleOf[]): string {
  const rows = roles.map(({ title, isSeveral, match }) => {
    const { isCommand, platform = [], names, deviceClass, units = [], isOptional } = match
    const about = [
      isCommand ? 'takes commands' : 'sends values',
      ...(platform.length === 0 ? [] : [platform.map((each) => `\`${each}\``).join(' or ')]),
      ...(deviceClass === undefined ? [] : [`class \`${deviceClass}\``]),
      ...(units.length === 0
        ? []
        : [`in ${units.map((unit) => (unit === '' ? 'no unit' : `\`${unit}\``)).join(', ')}`]),
    ]
    const notes = [...(isSeveral ? ['several'] : []), ...(isOptional === true ? ['optional'] : [])]
    return `| ${title}${notes.length === 0 ? '' : ` (${notes.join(', ')})`} | ${about.join(', ')} | \`${names.source.replaceAll('|', '\\|')}\` |`
  })
  return `| part | channel | name, as a pattern |\n|---|---|---|\n${rows.join('\n')}`
}

const INTRODUCTION = `# Device classes

A channel says what it measures or does with \`device_class\`, a \`platform\` and a unit, in the names of Home Assistant's MQTT discovery ([Your first device](../guides/your-first-device.md#say-what-it-is)). Panels find their channels by them. Any other class is kept and shown as it is.

Commands to a channel of a guarded class are carried out only while a person has armed the device.`
