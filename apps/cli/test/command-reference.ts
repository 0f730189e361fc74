import { Readable } from 'node:stream'
import type { Command } from 'commander'
import { createProgram } from '../src/program.ts'

/** Every command as Markdown: what `--help` says, in the order and under the headings of `patchbay help`. */
export function commandReference(): string {
  const lines: string[] = []
  const program = createProgram({
    environment: {},
    host: { on: () => undefined, exit: (code): never => unexpected(`exit ${code}`) },
    runId: 'reference',
    createNonce: () => '',
    createSecret: () => '',
    print: (text) => void lines.push(text),
    printError: (text) => unexpected(text),
    paint: { out: (_format, text) => text, error: (_format, text) => text },
    hostName: '',
    createId: () => '',
    now: () => 0,
    platform: 'linux',
    input: { isInteractive: false, stream: Readable.from([]) },
    writeBytes: () => unexpected('bytes'),
    terminal: { isInteractive: false, columns: () => undefined, write: () => undefined },
  })
  const helpOf = (command: Command): string => {
    lines.length = 0
    command.configureHelp({ ...command.configureHelp(), helpWidth: 96 }).outputHelp()
    return lines.join('\n').trimEnd()
  }
  const visible = (command: Command) =>
    command
      .createHelp()
      .visibleCommands(command)
      .filter((each) => each.name() !== 'help')
  const entries = (command: Command, path: string, depth: number): string[] => {
    const name = `${path} ${command.name()}`
    return [
      `${'#'.repeat(depth)} ${name}`,
      `\`\`\`text\n${helpOf(command)}\n\`\`\``,
      ...visible(command).flatMap((each) => entries(each, name, depth + 1)),
    ]
  }
  const groups = Map.groupBy(visible(program), (command) => command.helpGroup())
  return [
    INTRODUCTION,
    ...[...groups].flatMap(([group, commands]) => [
      `## ${group.replace(/:$/, '')}`,
      ...commands.flatMap((command) => entries(command, 'patchbay', 3)),
    ]),
    '',
  ].join('\n\n')
}

const INTRODUCTION = `# Commands

\`patchbay --help\` lists them, \`patchbay help <command>\` says what is said here. Commands that ask a server take \`--server\`, then \`PATCHBAY_SERVER_URL\`, then the server of your last login.

| exit code | means |
|---|---|
| 0 | done |
| 1 | it did not work; the last line says why |
| 2 | the command line is wrong |
| 69 | the server, or another service, is not there |
| 75 | not yet: a person has still to approve it |
| 78 | the configuration has faults |
| 130 | stopped with Ctrl-C |`

function unexpected(what: string): never {
  throw new Error(`nobody asked for this: ${what}`)
}
