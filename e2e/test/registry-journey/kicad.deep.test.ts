import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { lampFiles } from '@patchbay/boards/test/lamp-library'
import { waitUntil } from '@patchbay/testkit/processes'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startClientServer } from '../client/start-server.ts'
import { makeAccount } from '../installation/accounts.ts'
import { temporaryFolder } from '../packages-pages/archives.ts'
import { iconOf } from '../packages-pages/icon.ts'
import { publish } from '../packages-pages/publishing.ts'
import { pictureOf } from '../panel-capture/pixels.ts'
import { LAMP_FIELDS, LAMP_SHEET, LAMPS } from '../workspace-boards/lamp-library.ts'
import { openKicad, whyNoKicad } from './kicad.ts'
import { IDENTIFIER } from './night-lamp.ts'

const YELLOW = [255, 196, 61] as const
const FILE = `plugins/${IDENTIFIER.replaceAll('.', '_')}/__init__.py`
const PATIENT = { deadlineMs: 60_000 }
const whyNot = whyNoKicad()

test.skipIf(whyNot !== undefined)(
  `[J-31] KiCad lists a package of a running server with its icon, installs and updates it, and refuses an archive that was changed${whyNot === undefined ? '' : ` (${whyNot})`}`,
  { timeout: 900_000 },
  async () => {
    await using folder = await temporaryFolder()
    await using server = await startClientServer({ PATCHBAY_OBJECTS_URL: pathToFileURL(folder.path).href })
    const author = await makeAccount(server, 'grace')
    const icon = iconOf([24, 24, 38], YELLOW)
    const feed = `${server.url}/registry/feeds/kicad/repository.json`
    const release = async (version: string) => {
      await publish(server, author, { identifier: IDENTIFIER, version, icon })
      await waitUntil(
        `${version} is in the feed`,
        async () => (await listOf(feed)).includes(`"${version}"`),
        PATIENT,
      )
    }

    await release('1.0.0')
    await using kicad = await openKicad(feed)
    const hasIcon = async () => pictureOf(await kicad.picture()).count(YELLOW) > 500
    await waitUntil('the icon is in the list', hasIcon, PATIENT)
    await keepPicture('kicad-list', await kicad.picture())
    await kicad.change('install', (png) => keepPicture('kicad-installed', png))
    expect(await kicad.installed(FILE)).toBe('print("1.0.0")\n')

    await release('1.1.0')
    await kicad.refresh()
    await kicad.change('update')
    expect(await kicad.installed(FILE)).toBe('print("1.1.0")\n')

    await release('1.2.0')
    const restore = await tamper(folder.path, await archiveOf(feed, '1.2.0'))
    await kicad.refresh()
    await kicad.change('update', (png) => keepPicture('kicad-refused', png))
    expect(await kicad.installed(FILE)).toBe('print("1.1.0")\n')
    // So that it was refused for that alone.
    await restore()
    await kicad.change('update')
    expect(await kicad.installed(FILE)).toBe('print("1.2.0")\n')
  },
)

test.skipIf(whyNot !== undefined)(
  `[J-31] KiCad installs a library that a workspace has too, from a feed without icons, and names it the same${whyNot === undefined ? '' : ` (${whyNot})`}`,
  { timeout: 900_000 },
  async () => {
    await using server = await startClientServer()
    const author = await makeAccount(server, 'grace')
    const feed = `${server.url}/registry/feeds/kicad/repository.json`
    const files = lampFiles('a model')
    await publish(server, author, { identifier: LAMPS, version: '1.0.0', fields: LAMP_FIELDS, files })
    await waitUntil('it is in the feed', async () => (await listOf(feed)).includes(LAMPS), PATIENT)
    await using kicad = await openKicad(feed)
    await kicad.showLibraries()
    await kicad.change('install', (png) => keepPicture('kicad-library', png))
    for (const [path, content] of Object.entries(files)) {
      const [kind = '', ...rest] = path.split('/')
      expect(await kicad.installed([kind, LAMPS.replaceAll('.', '_'), ...rest].join('/'))).toBe(content)
    }
    // It is called what the server calls it: symbol and footprint are found.
    expect(await kicad.check(LAMP_SHEET)).toEqual(['pin_not_connected', 'pin_not_connected'])
    expect(await kicad.check(LAMP_SHEET.replaceAll('PCM_Lamps:', 'PCM_Others:'))).toContain(
      'lib_symbol_issues',
    )
  },
)

interface List {
  readonly packages: readonly {
    readonly versions: readonly { readonly version: string; readonly download_sha256: string }[]
  }[]
}

async function listOf(feed: string): Promise<string> {
  const answer = await fetch(feed)
  if (!answer.ok) return ''
  const { packages } = (await answer.json()) as { packages: { url: string } }
  return await (await fetch(packages.url)).text()
}

async function archiveOf(feed: string, version: string): Promise<string> {
  const { packages } = JSON.parse(await listOf(feed)) as List
  return packages[0]?.versions.find((each) => each.version === version)?.download_sha256 ?? ''
}

/** Changes one byte of what is kept, as somebody could who has got into the store; answers how to undo that. */
async function tamper(folder: string, sha256: string): Promise<() => Promise<void>> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const whole = await readFile(path)
    if (createHash('sha256').update(whole).digest('hex') !== sha256) continue
    const changed = Buffer.from(whole)
    changed[40] = (changed[40] ?? 0) ^ 1
    await writeFile(path, changed)
    return () => writeFile(path, whole)
  }
  throw new Error('the archive is not in the store')
}

/** The window alone, for README and guide, where a folder for it is named. */
async function keepPicture(name: string, png: Buffer): Promise<void> {
  const folder = process.env['PATCHBAY_KICAD_PICTURES']
  if (folder === undefined) return
  const window = { left: 0, top: 0, width: 1_202, height: 766 }
  await sharp(png)
    .extract(window)
    .png({ palette: true })
    .toFile(join(folder, `${name}.png`))
}
