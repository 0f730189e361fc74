import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CONTENTS, type Page, readContents, type Section, slugOf } from './contents.ts'
import { dividePage } from './divide.ts'
import { type ApiDocument, HTTP, httpPages, SERVICES, type Service } from './http.ts'
import { escapeHtml, withSiteLinks } from './links.ts'
import { parseMarkdown, textOf } from './markdown.ts'

export const BASE = '/docs'

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url))
/** Everything below them is a page, also what the table of contents leaves to their own lists. */
const FOLDERS = ['docs/guides', 'docs/reference', 'docs/decisions', 'docs/benchmarks', 'docs/scale']
/** Too long for one page. */
const COMMANDS = 'reference/commands'
/** What pages show or hand out as it is. */
const FILES = /\.(?:png|svg|json|txt)$/

/** Where the generator finds its pages and files. Made anew for every build. */
export interface Prepared {
  readonly pages: string
  readonly files: string
  readonly sections: readonly Section[]
  /** The pages that a long one is divided into, by its slug. */
  readonly parts: ReadonlyMap<string, readonly { readonly label: string; readonly slug: string }[]>
}

/** Lays the documents of the checkout out as the generator wants them: with a title, and links that lead to pages. */
export async function prepare(folder: string): Promise<Prepared> {
  const [pages, files] = [join(folder, 'pages'), join(folder, 'files')]
  await rm(folder, { recursive: true, force: true })
  await mkdir(pages, { recursive: true })
  await mkdir(files, { recursive: true })

  const contents = await readFile(join(CHECKOUT, CONTENTS), 'utf8')
  const sections = readContents(contents)
  const listed = sections.flatMap(({ pages: ofSection }) => ofSection)
  const commands = dividePage(
    COMMANDS,
    await readFile(join(CHECKOUT, 'docs', `${COMMANDS}.md`), 'utf8'),
    BASE,
  )
  const written = [...httpPages(await readDocuments(), BASE), ...commands]
  const made = new Set(written.map(({ slug }) => `docs/${slug}.md`))
  const all = await listFiles('docs')
  const others = all.filter(
    (file) => file.endsWith('.md') && FOLDERS.some((each) => file.startsWith(`${each}/`)),
  )
  const sources = new Set([...listed.map(({ file }) => file), ...others].filter((file) => !made.has(file)))
  const served = new Set(all.filter((file) => FILES.test(file)))

  const targets = {
    base: BASE,
    isPage: (file: string) => file === CONTENTS || sources.has(file) || made.has(file),
    isFile: (file: string) => served.has(file),
  }
  const used = new Set<string>()
  const marking = {
    ...targets,
    isFile: (file: string) => targets.isFile(file) && used.add(file) !== undefined,
  }
  for (const file of sources) {
    const text = withSiteLinks(await readFile(join(CHECKOUT, file), 'utf8'), file, marking)
    await writePage(
      pages,
      slugOf(file),
      splitTitle(
        text,
        listed.find((page) => page.file === file),
      ),
    )
  }
  for (const { slug, title, says, body } of written) await writePage(pages, slug, { title, says, body })
  await writePage(pages, 'index', { ...firstPage(sections), body: cards(sections) })

  for (const { file } of SERVICES) used.add(`docs/reference/${file}`)
  for (const file of used) await copy(join(CHECKOUT, file), join(files, file.replace(/^docs\//, '')))
  await cp(fileURLToPath(new URL('../public/', import.meta.url)), files, { recursive: true })
  const partsOf = (slug: string) =>
    written
      .filter((page) => page.slug.startsWith(`${slug}/`))
      .map((page) => ({ label: page.title, slug: page.slug }))
  return { pages, files, sections, parts: new Map([COMMANDS, HTTP].map((slug) => [slug, partsOf(slug)])) }
}

interface PageText {
  readonly title: string
  readonly says: string
  readonly body: string
  readonly extra?: string
}

async function writePage(
  folder: string,
  slug: string,
  { title, says, body, extra = '' }: PageText,
): Promise<void> {
  const path = join(folder, `${slug}.md`)
  const matter = [`title: ${JSON.stringify(title)}`, `description: ${JSON.stringify(says)}`].join('\n')
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `---\n${matter}\n${extra}---\n\n${body}`)
}

/** The first heading is the page's title; the generator writes it. */
function splitTitle(text: string, page: Page | undefined): PageText {
  const { children } = parseMarkdown(text)
  const [heading, next] = children
  if (heading?.type !== 'heading' || heading.depth !== 1) throw new Error(`no heading: ${text.slice(0, 60)}`)
  const says = page?.says ?? (next === undefined ? '' : textOf(next).slice(0, 160))
  return { title: textOf(heading), says, body: text.slice(heading.position?.end.offset ?? 0) }
}

function firstPage(sections: readonly Section[]): Omit<PageText, 'body'> {
  const start = sections[0]?.pages[0]
  if (start === undefined) throw new Error('the table of contents is empty')
  const hero = {
    tagline:
      'Everything for browser-based hardware design: files, boards, devices, packages, people and agents.',
    actions: [
      { text: start.label, link: `${BASE}/${start.slug}/`, icon: 'right-arrow' },
      { text: 'HTTP reference', link: `${BASE}/reference/http/`, variant: 'minimal' },
    ],
  }
  return {
    title: 'Patchbay',
    says: 'Guides and reference of Patchbay.',
    extra: `template: splash\nhero: ${JSON.stringify(hero)}\n`,
  }
}

function cards(sections: readonly Section[]): string {
  const card = ({ label, pages }: Section) =>
    `<section class="who"><h2>${escapeHtml(label)}</h2><ul>${pages
      .map(
        ({ slug, label: name, says }) =>
          `<li><a href="${BASE}/${slug}/">${escapeHtml(name)}</a> <span>${escapeHtml(says)}</span></li>`,
      )
      .join('')}</ul></section>`
  return `<div class="cards">${sections.map(card).join('')}</div>\n`
}

async function readDocuments(): Promise<Map<Service, ApiDocument>> {
  const read = async (service: Service) =>
    [service, JSON.parse(await readFile(join(CHECKOUT, 'docs/reference', service.file), 'utf8'))] as const
  return new Map(await Promise.all(SERVICES.map(read)))
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(join(CHECKOUT, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(CHECKOUT.length))
    .toSorted()
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await cp(from, to)
}
