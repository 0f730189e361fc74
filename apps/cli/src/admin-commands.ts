import type { Command } from 'commander'
import { addOperatorCommands } from './operator-commands.ts'
import { loadProcess, withAllVariables } from './processes.ts'
import type { CliSurroundings } from './terminal/surroundings.ts'

/** `patchbay admin`: for the operator, who has the database; no server needs to run. */
export function addAdmin(program: Command, surroundings: CliSurroundings): void {
  const admin = program
    .command('admin')
    .summary('Look after an installation: accounts, packages, jobs, devices, audit, backups.')
    .description(
      'Look after an installation where its database is (DATABASE_URL): see what there is, manage accounts, take packages down, back up and restore.',
    )
  addOperatorCommands(admin, surroundings)

  admin
    .command('link')
    .description('Print a link that lets one person create an administrator account within an hour.')
    .action(async () => {
      const { printAdminLink } = await loadProcess('server', surroundings)
      await printAdminLink(await withAllVariables(surroundings))
    })

  admin
    .command('disable')
    .description('Disable an account. Its sessions and API keys end at once, for good.')
    .argument('<handle>', 'whose account')
    .option('--quarantine-packages', 'quarantine every package that belongs to the account')
    .option(
      '--reason <text>',
      'why, for the audit log, and for everybody to read where packages are quarantined',
      'The account is disabled.',
    )
    .action(async (handle: string, words: { quarantinePackages?: boolean; reason: string }) => {
      const { switchAccount } = await loadProcess('server', surroundings)
      await switchAccount(await withAllVariables(surroundings), handle, {
        isDisabled: true,
        reason: words.reason,
        ...(words.quarantinePackages === true ? { quarantineReason: words.reason } : {}),
      })
    })

  admin
    .command('enable')
    .description('Enable an account that was disabled. Its packages stay as they are.')
    .argument('<handle>', 'whose account')
    .option('--reason <text>', 'why, for the audit log', '')
    .action(async (handle: string, { reason }: { reason: string }) => {
      const { switchAccount } = await loadProcess('server', surroundings)
      await switchAccount(await withAllVariables(surroundings), handle, { isDisabled: false, reason })
    })

  admin
    .command('quarantine')
    .description('Take a package out of feeds, search and downloads, on every node within 5 seconds.')
    .argument('<identifier>', 'which package')
    .requiredOption('--reason <text>', 'why, for everybody to read')
    .action(async (identifier: string, { reason }: { reason: string }) => {
      const { switchQuarantine } = await loadProcess('server', surroundings)
      await switchQuarantine(await withAllVariables(surroundings), identifier, reason)
    })

  admin
    .command('release')
    .description('Release a package from quarantine.')
    .argument('<identifier>', 'which package')
    .action(async (identifier: string) => {
      const { switchQuarantine } = await loadProcess('server', surroundings)
      await switchQuarantine(await withAllVariables(surroundings), identifier, undefined)
    })

  admin
    .command('backup')
    .description('Copy database, objects and signing keys into a new folder. Servers may go on meanwhile.')
    .argument('<folder>', 'where to; it must be empty or new')
    .action(async (folder: string) => {
      const { backUp } = await loadProcess('server', surroundings)
      await backUp(await withAllVariables(surroundings), folder)
    })

  admin
    .command('restore')
    .description('Restore a backup into an empty database and object store. No server may run meanwhile.')
    .argument('<folder>', 'which backup')
    .action(async (folder: string) => {
      const { restore } = await loadProcess('server', surroundings)
      await restore(await withAllVariables(surroundings), folder)
    })

  admin
    .command('end-access')
    .description('End all sessions, API keys and invitations of an account, which stays enabled.')
    .argument('<handle>', 'whose account')
    .option('--reason <text>', 'why, for the audit log', '')
    .action(async (handle: string, { reason }: { reason: string }) => {
      const { endAccess } = await loadProcess('server', surroundings)
      await endAccess(await withAllVariables(surroundings), handle, reason)
    })
}
