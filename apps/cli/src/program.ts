import { Command } from 'commander'
import { addAccount } from './account/account-commands.ts'
import { addAdmin } from './admin-commands.ts'
import { addBoards } from './boards/board-commands.ts'
import { addCompletion } from './completion/completion-commands.ts'
import { addDev } from './dev-command.ts'
import { addDevices } from './devices/device-commands.ts'
import { addDoctor } from './doctor/doctor-command.ts'
import { addFiles } from './files/files-commands.ts'
import { addInstall } from './install/install-commands.ts'
import { addMcp } from './mcp-command.ts'
import { addPackage } from './package/package-commands.ts'
import { allDefinitions, loadProcess, withAllVariables } from './processes.ts'
import { addRepo } from './repo/repo-commands.ts'
import type { CliSurroundings } from './terminal/surroundings.ts'
import { VERSION } from './version.ts'
import { addViewer } from './viewer-command.ts'
import { addWatchdog } from './watchdog-command.ts'
import { addWorkspaces } from './workspace/workspace-commands.ts'

type Write = (surroundings: CliSurroundings) => Promise<string>

const OPENAPI: Readonly<Record<string, Write>> = {
  server: async (surroundings) => (await loadProcess('server', surroundings)).serverOpenApi(),
  gateway: async (surroundings) => (await loadProcess('gateway', surroundings)).gatewayOpenApi(),
  watchdog: async (surroundings) => (await loadProcess('watchdog', surroundings)).watchdogOpenApi(),
  viewer: async (surroundings) => (await loadProcess('viewer', surroundings)).viewerOpenApi(),
}

const MESSAGES: Readonly<Record<string, Write>> = {
  gateway: async (surroundings) => (await loadProcess('gateway', surroundings)).gatewayMessageReference(),
  viewer: async (surroundings) => (await loadProcess('viewer', surroundings)).viewerMessageReference(),
}

const AFTER_HELP = `
Examples:
  $ patchbay dev                            start everything on this machine
  $ patchbay install com.example.blinky     install one
  $ patchbay package init blinky            make one
  $ patchbay login                          sign in, in your browser
  $ patchbay admin link                     make the first administrator

"patchbay help <command>" says more, "patchbay config reference" every setting.`

/** Wrong words on the command line, as distinct from a failure of what they asked for. */
const EXIT_USAGE = 2

/** The commands, tied to their surroundings: where text goes, what the environment says, how the process ends. */
export function createProgram(surroundings: CliSurroundings): Command {
  const { print, printError, host, paint } = surroundings
  const program = new Command('patchbay')
    .description('The extension platform for browser-based hardware-design workspaces.')
    .version(VERSION)
    .addHelpText('after', AFTER_HELP)
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      writeErr: (text) => printError(text.trimEnd()),
      outputError: (text, write) => write(paint.error('red', text.trimEnd())),
      // Commander would take the color away by looking at the process; `paint` has decided.
      getOutHasColors: () => true,
      getErrHasColors: () => true,
    })
    .configureHelp({
      styleTitle: (text) => paint.out('bold', text),
      styleSubcommandTerm: (text) => paint.out('cyan', text),
      styleOptionTerm: (text) => paint.out('cyan', text),
      styleArgumentTerm: (text) => paint.out('cyan', text),
    })
    .exitOverride(({ exitCode }) => host.exit(exitCode === 0 ? 0 : EXIT_USAGE))

  program.commandsGroup('Getting started:')
  addDev(program, surroundings)

  program.commandsGroup('Packages:')
  addInstall(program, surroundings)

  program.commandsGroup('For authors and hosts of packages:')
  addPackage(program, surroundings)
  addRepo(program, surroundings)

  program.commandsGroup('Workspaces:')
  addWorkspaces(program, surroundings)
  addFiles(program, surroundings)
  addDevices(program, surroundings)
  addBoards(program, surroundings)

  program.commandsGroup('Screenshots and agents:')
  addViewer(program, surroundings)
  addMcp(program, surroundings)

  program.commandsGroup('Your account:')
  addAccount(program, surroundings)

  program.commandsGroup('For operators:')
  program
    .command('server')
    .summary('Start the server (port 8790).')
    .description('Start the server: registry, identity, panels and the web app (port 8790).')
    .option('--check-config', 'check the configuration, report every fault, start nothing')
    .action(async ({ checkConfig }: { checkConfig?: boolean }) => {
      const { checkServerConfig, runServer } = await loadProcess('server', surroundings)
      const all = await withAllVariables(surroundings)
      if (checkConfig === true) checkServerConfig(all)
      else await runServer(all)
    })

  program
    .command('gateway')
    .summary('Start the gateway (port 8795).')
    .description('Start the gateway: one OAuth redirect URI for any number of clients (port 8795).')
    .option('--check-config', 'check the configuration, report every fault, start nothing')
    .action(async ({ checkConfig }: { checkConfig?: boolean }) => {
      const { checkGatewayConfig, runGateway } = await loadProcess('gateway', surroundings)
      const all = await withAllVariables(surroundings)
      if (checkConfig === true) checkGatewayConfig(all)
      else await runGateway(all)
    })

  addWatchdog(program, surroundings)
  program
    .command('worker')
    .summary('Start a worker that runs KiCad.')
    .description(
      'Start a worker that runs KiCad 9 on the schematics and boards of workspaces, in a sandbox. Any number can run, on any machine that reaches the database and the object store.',
    )
    .option('--check-config', 'check the configuration, report every fault, start nothing')
    .action(async ({ checkConfig }: { checkConfig?: boolean }) => {
      const { checkWorkerConfig, runWorker } = await loadProcess('worker', surroundings)
      const all = await withAllVariables(surroundings)
      if (checkConfig === true) checkWorkerConfig(all)
      else await runWorker(all)
    })
  addAdmin(program, surroundings)
  addDoctor(program, surroundings)

  program.commandsGroup('Reference:')
  program
    .command('config')
    .description('About the configuration.')
    .command('reference')
    .description('Print the reference of every environment variable, as Markdown.')
    .action(async () => {
      const { configReference } = await loadProcess('server', surroundings)
      print(configReference(await allDefinitions()).trimEnd())
    })

  program
    .command('openapi')
    .argument('[process]', 'server, gateway, watchdog or viewer', 'server')
    .description('Print the OpenAPI 3.1 document of a process.')
    .action(async (name: string) => {
      const document = OPENAPI[name]
      if (document !== undefined) print(await document(surroundings))
      else program.error(`error: there is no process "${name}": ${Object.keys(OPENAPI).join(', ')}`)
    })

  program
    .command('messages')
    .argument('[process]', 'gateway or viewer', 'gateway')
    .summary("Print a process's messages, as Markdown.")
    .description('Print the reference of the WebSocket messages of a process, as Markdown.')
    .action(async (name: string) => {
      const reference = MESSAGES[name]
      if (reference !== undefined) print((await reference(surroundings)).trimEnd())
      else
        program.error(
          `error: there is no process "${name}" with messages: ${Object.keys(MESSAGES).join(', ')}`,
        )
    })

  addCompletion(program, surroundings)
  program.helpCommand('help [command]', 'Say more about a command.')
  adviseHelp(program, 'patchbay')
  return program
}

/** After wrong words: the help of the command itself, not of all of them. */
function adviseHelp(command: Command, path: string): void {
  const what = command.commands.length > 0 ? 'for what there is' : 'for how it is used'
  command.showHelpAfterError(`Run "${path} --help" ${what}.`)
  for (const each of command.commands) adviseHelp(each, `${path} ${each.name()}`)
}
