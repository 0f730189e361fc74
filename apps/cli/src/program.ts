import type { Surroundings } from '@patchbay/server'
import { Command } from 'commander'
import manifest from '../package.json' with { type: 'json' }

// Loaded by the commands that need it: help and mistakes are answered without waiting for drivers and engines.
const loadServer = () => import('@patchbay/server')

const AFTER_HELP = `
Examples:
  $ patchbay server --check-config   check the environment without starting anything
  $ DATABASE_URL=postgres://localhost/patchbay patchbay server

Every setting is listed in docs/reference/configuration.md.`

/** Wrong words on the command line, as distinct from a failure of what they asked for. */
const EXIT_USAGE = 2

/** The commands, tied to their surroundings: where text goes, what the environment says, how the process ends. */
export function createProgram(surroundings: Surroundings): Command {
  const { print, printError, host } = surroundings
  const program = new Command('patchbay')
    .description('The extension platform for browser-based hardware-design workspaces.')
    .version(manifest.version)
    .addHelpText('after', AFTER_HELP)
    .showHelpAfterError('Run "patchbay --help" for what there is.')
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      writeErr: (text) => printError(text.trimEnd()),
    })
    .exitOverride(({ exitCode }) => host.exit(exitCode === 0 ? 0 : EXIT_USAGE))

  program
    .command('server')
    .description('Start the server: registry, identity, panels and the web app (port 8790).')
    .option('--check-config', 'check the configuration, report every fault, start nothing')
    .action(async ({ checkConfig }: { checkConfig?: boolean }) => {
      const { checkServerConfig, runServer } = await loadServer()
      if (checkConfig === true) checkServerConfig(surroundings)
      else await runServer(surroundings)
    })

  program
    .command('config')
    .description('About the configuration.')
    .command('reference')
    .description('Print the reference of every environment variable, as Markdown.')
    .action(async () => {
      const { configReference } = await import('@patchbay/kernel/config')
      const { serverConfig } = await loadServer()
      print(configReference([serverConfig]).trimEnd())
    })

  program
    .command('openapi')
    .description('Print the OpenAPI 3.1 document of the server.')
    .action(async () => print((await loadServer()).serverOpenApi()))

  return program
}
