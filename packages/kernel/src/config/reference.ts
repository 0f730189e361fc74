import type { ConfigDefinition, Settings } from './config.ts'
import type { Setting } from './setting.ts'

/** The configuration reference as Markdown, one table per process. */
export function configReference(
  definitions: readonly Pick<ConfigDefinition<Settings>, 'process' | 'settings'>[],
): string {
  const parts = definitions.map(({ process, settings }) =>
    [
      `## ${process}`,
      '',
      '| variable | accepts | default | meaning |',
      '|---|---|---|---|',
      ...Object.values(settings).map(row),
    ].join('\n'),
  )
  return [
    '# Configuration',
    '',
    'Generated from the configuration definitions by `patchbay config reference`. Do not edit.',
    '',
    'A process takes its configuration from environment variables alone and reports every fault at once.',
    '`patchbay server --check-config` checks it without starting anything.',
    '',
    'What is kept secret can stand in a file instead, as Docker and Kubernetes mount secrets: `DATABASE_URL_FILE` names the file',
    'whose text is the value of `DATABASE_URL`, and so for every other such variable.',
    '',
    ...parts.flatMap((part) => [part, '']),
  ].join('\n')
}

function row(setting: Setting<unknown>): string {
  return `| \`${setting.variable}\` | ${setting.accepts} | ${shownDefault(setting)} | ${setting.meaning} |`
}

function shownDefault({ required, fallback }: Setting<unknown>): string {
  if (required) return '**required**'
  if (fallback === undefined) return 'unset'
  const shown = Array.isArray(fallback)
    ? fallback.join(',')
    : (fallback as string | number | boolean).toString()
  return shown === '' ? 'empty' : `\`${shown}\``
}
