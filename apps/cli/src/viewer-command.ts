import type { Command } from 'commander'
import { openBrowser } from './account/browser.ts'
import { loadProcess, withAllVariables } from './processes.ts'
import type { CliSurroundings } from './terminal/surroundings.ts'

interface ViewerWords {
  readonly project?: string
  readonly port?: string
  readonly workspace?: string
  readonly open?: boolean
  readonly checkConfig?: boolean
}

/** `patchbay viewer`: beside a project, for the person who works on it. */
export function addViewer(program: Command, surroundings: CliSurroundings): void {
  program
    .command('viewer')
    .summary('Paste screenshots into a project (port 8797).')
    .description(
      'Start the viewer of a project (port 8797): screenshots that you paste there become files in screenshots/sp, and agents can ask you for one.',
    )
    .option('--project <folder>', 'the project, if it is not the one in this folder')
    .option('--port <port>', 'where it listens, if not on 8797')
    .option('--workspace <owner/name>', 'save the screenshots in this workspace as well')
    .option('--open', 'open it in your browser')
    .option('--check-config', 'check the configuration, report every fault, start nothing')
    .action(async ({ project, port, workspace, open, checkConfig }: ViewerWords) => {
      const { checkViewerConfig, runViewer } = await loadProcess('viewer', surroundings)
      const all = await withAllVariables(surroundings)
      const told = {
        ...all,
        environment: {
          ...all.environment,
          ...(project === undefined ? {} : { PATCHBAY_VIEWER_PROJECT: project }),
          ...(port === undefined ? {} : { PATCHBAY_VIEWER_PORT: port }),
          ...(workspace === undefined ? {} : { PATCHBAY_VIEWER_WORKSPACE: workspace }),
        },
      }
      if (checkConfig === true) return checkViewerConfig(told)
      const url = await runViewer(told)
      if (url === undefined || open !== true || (await openBrowser(url, surroundings))) return
      surroundings.printError('The browser could not be opened; open the address yourself.')
    })
}
