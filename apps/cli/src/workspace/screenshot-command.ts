import { type Command, Option } from 'commander'
import { type RunTask, serverOption, wholeNumberOf } from '../command/options.ts'
import { WORKSPACE_MEANING } from './options.ts'
import type { ScreenshotWords } from './screenshot.ts'

const AFTER_HELP = `
It prints where the picture is. The person at the workspace enables sharing with the monitor icon at
the top of the page: this page, or for --screen the whole screen. Until then they are shown your
reason, and the exit code is 75. Only html2canvas, of a sandbox, needs no sharing.`

/** `patchbay screenshot`. */
export function addScreenshot(program: Command, run: RunTask): void {
  program
    .command('screenshot')
    .description('Save a screenshot of a workspace or panel.')
    .argument('<name>', WORKSPACE_MEANING)
    .option('--panel <tab>', 'only this tab: its id, title or kind')
    .option('--screen', 'the whole screen of the person')
    .addOption(new Option('--method <method>', 'how it is taken').choices(['element-capture', 'html2canvas']))
    .option('--out <file>', 'the PNG; screenshot-<repository>-<time>.png here, if not given')
    .option('--force', 'overwrite the file')
    .option('--reason <text>', 'why, for the person who is asked to share')
    .addOption(
      new Option('--wait <seconds>', 'how long to wait until they have').argParser(wholeNumberOf(0, 900)),
    )
    .addOption(
      new Option('--timeout <seconds>', 'how long the picture may take; 10 if not given').argParser(
        wholeNumberOf(1, 60),
      ),
    )
    .addOption(serverOption())
    .option('--json', 'print how it was taken as JSON')
    .addHelpText('after', AFTER_HELP)
    .action(async (text: string, words: ScreenshotWords & { json?: boolean }) => {
      await run(words, async (task) => (await import('./screenshot.ts')).takeScreenshot(task, text, words), {
        whenStopped: 'No screenshot was saved.',
      })
    })
}
