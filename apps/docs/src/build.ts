import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import starlight from '@astrojs/starlight'
import { build } from 'astro'
import { finish } from './finish.ts'
import { BASE, prepare } from './prepare.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const OUT = join(ROOT, 'dist/site')

/** Builds the site into `dist/site`: files that any web server can send. */
export async function buildSite(): Promise<void> {
  const { files, sections, parts } = await prepare(join(ROOT, '.site'))
  await rm(OUT, { recursive: true, force: true })
  await build({
    root: ROOT,
    configFile: false,
    base: BASE,
    outDir: OUT,
    publicDir: files,
    cacheDir: join(ROOT, '.site/cache'),
    trailingSlash: 'always',
    logLevel: 'warn',
    // Scripts and styles of a page are files: the policy takes none from inside it.
    build: { inlineStylesheets: 'never' },
    vite: { build: { assetsInlineLimit: 0 } },
    integrations: [
      starlight({
        title: 'Patchbay',
        description: 'Guides and reference of Patchbay.',
        favicon: '/favicon.svg',
        pagefind: true,
        disable404Route: true,
        credits: false,
        lastUpdated: false,
        customCss: ['./src/site.css'],
        components: {
          ThemeProvider: './src/components/ThemeProvider.astro',
          ThemeSelect: './src/components/ThemeSelect.astro',
          SiteTitle: './src/components/SiteTitle.astro',
        },
        expressiveCode: {
          themes: ['github-dark', 'github-light'],
          frames: { showCopyToClipboardButton: true },
        },
        tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
        sidebar: sections.map(({ label, pages }, index) => ({
          label,
          collapsed: index > 0,
          items: pages.map(({ label: name, slug }) => entryOf(name, slug, parts.get(slug))),
        })),
      }),
    ],
  })
  await finish(OUT)
}

/** A page, or one with the pages that it is divided into. */
function entryOf(
  label: string,
  slug: string,
  parts: readonly { readonly label: string; readonly slug: string }[] = [],
) {
  if (parts.length === 0) return { label, slug }
  return { label, collapsed: true, items: [{ label: 'Overview', slug }, ...parts] }
}
