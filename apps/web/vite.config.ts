import { readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { PAGE_PERMISSIONS, WORKSPACE_PERMISSIONS } from '@patchbay/contracts/core'
import react from '@vitejs/plugin-react'
import type { BuildOptions, InlineConfig, Plugin, Rolldown } from 'vite'
import { besidesOf, hashSources, noteSources } from './built-sources.ts'

export interface WebConfigOptions {
  /** Where the Patchbay server listens; the development server forwards its paths there. */
  serverUrl: string
  /** Where the viewer listens; so are the paths of its pages. */
  viewerUrl?: string
}

/** Whole names: `/auth` as a prefix would take the app's own `/authors` away from it. */
const SERVER_PATHS =
  '^/(?:api|auth|docs|health|panels/sandbox-(?:host|frame)|problems|ready|registry|openapi\\.json|reference(?:\\.css)?)(?:[/?]|$)'
const VIEWER_PATHS = '^/(?:api/(?:next-paste|pastes|upload-grants|viewer)|pastes)(?:[/?]|$)'
const SCHEMA_WORDS = fileURLToPath(new URL('src/server/schema-words.ts', import.meta.url))
/** The same addresses for which the server sends the page of a workspace. */
const WORKSPACE_PAGE = /^\/workspaces\/[^/]+\/[^/?]+\/?(?:\?|$)/
const VIEWER_PAGE = /^\/screenshot-paste(?:\?|$)/
const NONCE = /<meta name="patchbay-upload-nonce" content="([^"]+)"/
const USUAL_VIEWER_URL = 'http://127.0.0.1:8797'

/**
 * Few files, because each request costs more than the bytes that it saves. React keeps its name when we change ours. What
 * is there from the start is one piece, and what several pages have in common another.
 */
const CHUNKS = [
  { name: 'react', test: /[\\/]node_modules[\\/](?:react|react-dom|scheduler)[\\/]/, priority: 3 },
  { name: 'shell', tags: ['$initial' as const], priority: 2 },
  // Not with the pages: whoever opens no model would load what draws them.
  {
    name: 'stage',
    test: /[\\/](?:three|panels[\\/](?:stage|viewer-3d))[\\/]/,
    minShareCount: 2,
    priority: 1,
  },
  // The catalog and the publishers' pages show the same cards.
  { name: 'catalog', test: /[\\/]src[\\/]packages[\\/]catalog[\\/]/, priority: 1 },
  {
    name: 'pages',
    test: /[\\/](?:react-aria[\w-]*|react-stately|lucide-react|contracts|package-format|src)[\\/]/,
    minShareCount: 3,
  },
]

/** The web app's Vite configuration, for whoever starts Vite: the tests, the development launcher. */
export function webConfig(options: WebConfigOptions): InlineConfig {
  return configOf('index', options, [
    permissions(),
    ownDocument('workspace', WORKSPACE_PAGE, options),
    ownDocument('viewer', VIEWER_PAGE, options),
    viewerNonce(options),
  ])
}

/** The same, for whoever builds what is shipped: with source maps beside it, which tell tests what a script is made of. */
export function buildConfig(options: WebConfigOptions): InlineConfig {
  const { plugins = [], build, ...config } = webConfig(options)
  return { ...config, plugins: [...plugins, sourcesBeside()], build: { ...build, sourcemap: 'hidden' } }
}

type DocumentName = 'index' | 'workspace' | 'viewer'

function configOf(
  document: DocumentName,
  { serverUrl, viewerUrl = USUAL_VIEWER_URL }: WebConfigOptions,
  plugins: Plugin[],
): InlineConfig {
  // The viewer answers its own pages alone; to it, this is one of them.
  const asItsOwn = { changeOrigin: true, headers: { origin: new URL(viewerUrl).origin } }
  return {
    root: pathOf('.'),
    // Whoever passes this object to Vite would otherwise get every plugin twice: once from here, once from the file.
    configFile: false,
    plugins: [scriptText(), englishOnly(), react(), ...plugins, compressed()],
    // See there: the contracts need the words of the schema library, not the library.
    resolve: { alias: [{ find: /^typebox(?:\/schema)?$/, replacement: SCHEMA_WORDS }] },
    build: {
      outDir: 'dist/client',
      emptyOutDir: true,
      // Small assets as data: URLs would need a looser Content-Security-Policy for fonts and styles.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: pathOf(`${document}.html`),
        output: { codeSplitting: { groups: CHUNKS } },
      },
      // For older browsers light-dark() would be resolved at the root, and a dark part of a light page turn light.
      cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    },
    // Each is one file: their own policy lets workers load nothing more.
    worker: { format: 'es' },
    // All three documents with everything that they load late: a library met only then would make Vite reload the page.
    optimizeDeps: {
      entries: ['index.html', 'workspace.html', 'viewer.html'],
      include: ['typescript-6', 'vscode-json-languageservice'],
    },
    server: {
      host: '127.0.0.1',
      proxy: {
        [VIEWER_PATHS]: { target: viewerUrl, ws: true, ...asItsOwn },
        [SERVER_PATHS]: { target: serverUrl, ws: true },
      },
    },
  }
}

/** As the server sends it: otherwise a page could do here what it cannot do there. */
function permissions(): Plugin {
  return {
    name: 'permissions',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const isWorkspace = WORKSPACE_PAGE.test(request.url ?? '')
        response.setHeader('permissions-policy', isWorkspace ? WORKSPACE_PERMISSIONS : PAGE_PERMISSIONS)
        next()
      })
    },
  }
}

/**
 * Workspaces and the viewer have documents of their own. Each is built by itself: with shared pieces the first load of all
 * other pages would be in two dozen files, and a thirtieth larger. React comes out the same, under the same name.
 */
function ownDocument(document: DocumentName, pages: RegExp, options: WebConfigOptions): Plugin {
  let own: Pick<BuildOptions, 'outDir' | 'sourcemap'>
  return {
    name: `${document}-document`,
    configResolved({ build: { outDir, sourcemap } }) {
      own = { outDir, sourcemap }
    },
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        if (pages.test(request.url ?? '')) request.url = `/${document}.html`
        next()
      })
    },
    async writeBundle() {
      const { build } = await import('vite')
      const config = configOf(document, options, [])
      await build({
        ...config,
        logLevel: 'error',
        build: { ...config.build, ...own, emptyOutDir: false, copyPublicDir: false },
      })
    },
  }
}

/** Says beside the built app what it was built from, so that nobody builds the same again. */
function sourcesBeside(): Plugin {
  let outDir: string
  let hash: string
  return {
    name: 'sources-beside',
    apply: 'build',
    configResolved({ build, root }) {
      outDir = resolve(root, build.outDir)
    },
    async buildStart() {
      await rm(besidesOf(outDir), { recursive: true, force: true })
      hash = await hashSources()
    },
    // After everything that others write.
    async closeBundle(error) {
      if (error === undefined) await noteSources(outDir, hash)
    },
  }
}

const OTHER_LOCALE =
  /[\\/]react-(?:aria[\w-]*|stately)[\\/]dist[\\/].*[\\/]intl[\\/](?:[\w-]+[\\/])?(?!en-US)[a-z]{2}-[A-Z]{2}\.mjs$/

/** What React Aria says by itself stays in the language of the pages: the words of thirty others weigh more than a page. */
function englishOnly(): Plugin {
  return {
    name: 'english-only',
    load: { filter: { id: OTHER_LOCALE }, handler: () => 'export default undefined' },
  }
}

const PACKED = /\.(?:js|css|html|svg|json|wasm)$/
/** Below this a file fits into one packet as it is. */
const WORTH_COMPRESSING_BYTES = 1_024
/** Of what is larger, the last tenth would cost half a minute. */
const MOST_THOROUGH_BYTES = 1024 * 1024
const THOROUGH = { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY }
const QUICK = {
  [zlib.BROTLI_PARAM_QUALITY]: 9,
  [zlib.BROTLI_PARAM_LGWIN]: zlib.BROTLI_MAX_WINDOW_BITS,
}
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Lays each file that gets smaller beside itself as brotli and gzip: the servers send what the browser takes. */
function compressed(): Plugin {
  let outDir: string
  return {
    name: 'compressed',
    apply: 'build',
    configResolved({ build, root }) {
      outDir = resolve(root, build.outDir)
    },
    async writeBundle(_options, bundle) {
      const names = Object.keys(bundle).filter((name) => PACKED.test(name))
      const one = async (name: string) => {
        const path = join(outDir, name)
        const text = await readFile(path)
        if (text.length < WORTH_COMPRESSING_BYTES) return
        const params = text.length > MOST_THOROUGH_BYTES ? QUICK : THOROUGH
        await writeFile(`${path}.br`, await brotli(text, { params }))
        await writeFile(`${path}.gz`, await zip(text, { level: zlib.Z_BEST_COMPRESSION }))
      }
      await Promise.all(names.map(one))
    },
  }
}

/** The development server hands the viewer's nonce on: without one the page could upload nothing. */
function viewerNonce({ viewerUrl = USUAL_VIEWER_URL }: WebConfigOptions): Plugin {
  return {
    name: 'viewer-nonce',
    apply: 'serve',
    async transformIndexHtml(html, { path }) {
      if (path !== '/viewer.html') return html
      const served = await fetch(new URL('/screenshot-paste', viewerUrl)).catch(() => undefined)
      const nonce = (await served?.text())?.match(NONCE)?.[1]
      return nonce === undefined
        ? html
        : html.replace(NONCE, (meta, none: string) => meta.replace(none, nonce))
    },
  }
}

const SCRIPT = '?script'

/** `x.ts?script` is the text of one script with everything that x imports: for a frame that can load nothing itself. */
function scriptText(): Plugin {
  return {
    name: 'script-text',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(SCRIPT)) return null
      const { build } = await import('vite')
      const [bundle] = (await build({
        configFile: false,
        logLevel: 'silent',
        build: {
          write: false,
          target: 'esnext',
          lib: {
            entry: id.slice(0, -SCRIPT.length),
            formats: ['iife'],
            name: 'sandboxFrame',
            fileName: 'script',
          },
        },
      })) as Rolldown.RolldownOutput[]
      const chunk = bundle?.output[0]
      if (chunk === undefined) throw new Error(`nothing came of ${id}`)
      for (const path of chunk.moduleIds) if (path.startsWith('/')) this.addWatchFile(path)
      return `export const text = ${JSON.stringify(chunk.code)}`
    },
  }
}

export default buildConfig({ serverUrl: 'http://127.0.0.1:8790' })

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}
