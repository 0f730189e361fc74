import type { Page } from '@patchbay/testkit/chromium'
import { deepTest, commonTest as test } from '@patchbay/testkit/depth'
import { expect } from 'vitest'
import type { Site } from '../site.ts'
import { dropFile, makeFile } from './files.ts'
import { cubeGlb } from './models.ts'
import { soon, usePanelBench } from './panel-bench.ts'
import { colorShares } from './pixels.ts'
import { answerFiles, type WorkspaceFiles } from './workspace-files.ts'

const panels = usePanelBench({
  args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  // Reading back what software has drawn is slow, and the browser says so now and then.
  tolerated: /GPU stall due to ReadPixels/,
})
const PATIENT = 60_000
const open = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer })

/** Four corners of a tetrahedron of 20 mm. */
const CORNERS = [
  [0, 0, 0],
  [20, 0, 0],
  [0, 20, 0],
  [0, 0, 20],
] as const
const FACES = [
  [0, 2, 1],
  [0, 1, 3],
  [0, 3, 2],
  [1, 2, 3],
] as const
const corner = (at: number) => CORNERS[at]?.join(' ') ?? ''

const STL_TEXT = `solid t\n${FACES.map(
  (face) =>
    `facet normal 0 0 0\nouter loop\n${face.map((at) => `vertex ${corner(at)}`).join('\n')}\nendloop\nendfacet`,
).join('\n')}\nendsolid t\n`

function stlBinary(): Buffer {
  const file = Buffer.alloc(84 + FACES.length * 50)
  file.writeUInt32LE(FACES.length, 80)
  for (const [place, face] of FACES.entries())
    for (const [number, at] of face.entries())
      for (const [axis, value] of (CORNERS[at] ?? []).entries())
        file.writeFloatLE(value, 84 + place * 50 + 12 + number * 12 + axis * 4)
  return file
}

const OBJ = `${CORNERS.map((point) => `v ${point.join(' ')}`).join('\n')}\n${FACES.map(
  (face) => `f ${face.map((at) => at + 1).join(' ')}`,
).join('\n')}\n`
const HEAD = `ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n`
const COLORS = 'property uchar red\nproperty uchar green\nproperty uchar blue\n'
const POINTS = CORNERS.map((point) => `${point.join(' ')} 20 200 40`).join('\n')
const PLY = `${HEAD}${COLORS}element face 4\nproperty list uchar int vertex_indices\nend_header\n${POINTS}\n${FACES.map(
  (face) => `3 ${face.join(' ')}`,
).join('\n')}\n`
const CLOUD = `${HEAD}${COLORS}end_header\n${POINTS}\n`

deepTest.each([
  ['an STL file that is text', 'part.stl', Buffer.from(STL_TEXT), '4 triangles · 20 × 20 × 20 mm'],
  ['a binary STL file', 'part.STL', stlBinary(), '4 triangles · 20 × 20 × 20 mm'],
  ['an OBJ file', 'part.obj', Buffer.from(OBJ), '4 triangles · 20 × 20 × 20 mm'],
  ['a PLY file', 'part.ply', Buffer.from(PLY), '4 triangles · 20 × 20 × 20 mm'],
  ['a PLY file of points', 'cloud.ply', Buffer.from(CLOUD), '0 triangles · 20 × 20 × 20 mm'],
])(
  '[W-596] %s is shown',
  async (_name, name, file, facts) => {
    await using visit = await panels.show({ kind: 'viewer-3d' })
    await open(visit.page, name, file)
    await expect.poll(() => visit.page.getByText(facts).count(), soon).toBe(1)
  },
  PATIENT,
)

test(
  '[W-596] a PLY file keeps its colors',
  async () => {
    await using visit = await panels.show({ kind: 'viewer-3d' })
    await open(visit.page, 'part.ply', Buffer.from(PLY))
    await expect.poll(async () => (await colorShares(visit.page)).green, soon).toBeGreaterThan(0.02)
  },
  PATIENT,
)

deepTest.each([
  ['empty.stl', 'solid t\nendsolid t\n', 'This is no 3D model'],
  ['notes.obj', 'hello\n', 'This is no 3D model'],
  ['notes.ply', 'hello\n', 'This is no 3D model'],
  [
    'claims.ply',
    HEAD.replace('vertex 4', 'vertex 4000000000').concat('end_header\n'),
    'The model is damaged',
  ],
])(
  '[W-596] %s is refused in words',
  async (name, text, told) => {
    await using visit = await panels.show({ kind: 'viewer-3d' })
    await open(visit.page, name, Buffer.from(text))
    await expect.poll(() => visit.page.getByText(told).count(), soon).toBe(1)
  },
  PATIENT,
)

test(
  '[W-595] a file of the workspace is chosen and shown; one that is gone is told',
  async () => {
    await using visit = await panels.show(
      { kind: 'viewer-3d', state: { url: 'https://models.example/none.glb' } },
      {
        prepare: (site) => void answerFiles(site, { 'cad/cube.glb': cubeGlb(), 'README.md': '' }),
        alsoTolerated: /404/,
      },
    )
    const { page } = visit
    await page.getByRole('button', { name: 'Choose from the workspace' }).click()
    const dialog = page.getByRole('dialog', { name: 'Choose a model' })
    await dialog.getByRole('button', { name: 'cad/cube.glb' }).waitFor()
    expect(await dialog.getByText('README.md').count()).toBe(0)
    await dialog.getByRole('button', { name: 'cad/cube.glb' }).click()
    await page.getByText(/^cube\.glb · 12 triangles/).waitFor()
    expect(await visit.stored()).toEqual([{ path: 'cad/cube.glb', url: null }])
    expect(await page.getByText('Only you can see this model').count()).toBe(0)
    await visit.patch({ path: 'cad/other.glb' })
    await page.getByText('The model is gone').waitFor()
  },
  PATIENT,
)

deepTest(
  '[W-597] a model of this computer is shared under a free name, and everybody is shown it',
  async () => {
    let files: WorkspaceFiles | undefined
    const prepare = (site: Site) => {
      files = answerFiles(site, { 'models/part.stl': 'somebody else' })
      takeUploads(site, files)
    }
    await using visit = await panels.show({ kind: 'viewer-3d' }, { prepare, alsoTolerated: /412/ })
    const { page } = visit
    await open(page, 'part.stl', stlBinary())
    await page.getByRole('button', { name: 'Share with everybody' }).click()
    await expect.poll(() => visit.stored(), soon).toEqual([{ path: 'models/part-2.stl' }])
    await page.getByText(/^part-2\.stl · 4 triangles/).waitFor()
    expect(files?.contents.get('models/part.stl')).toBe('somebody else')
    expect(await page.getByText('Only you can see this model').count()).toBe(0)
  },
  PATIENT,
)

deepTest(
  '[W-597] one that is dropped is shared at once; one that is no model stays here',
  async () => {
    let files: WorkspaceFiles | undefined
    const prepare = (site: Site) => {
      files = answerFiles(site, {})
      takeUploads(site, files)
    }
    await using visit = await panels.show({ kind: 'viewer-3d' }, { prepare })
    const { page } = visit
    await using broken = await makeFile('broken.stl', Buffer.from('solid t'))
    await dropFile(page, page.getByRole('application'), broken.path)
    await page.getByText('This is no 3D model').waitFor()
    await using file = await makeFile('dropped.stl', stlBinary())
    await dropFile(page, page.getByRole('application'), file.path)
    await expect.poll(() => visit.stored(), soon).toEqual([{ path: 'models/dropped.stl' }])
    expect([...(files?.contents.keys() ?? [])]).toEqual(['models/dropped.stl'])
    // It is asked for once more to be shown, and whoever comes next would be asked instead.
    await page.getByText(/^dropped\.stl · 4 triangles/).waitFor()
  },
  PATIENT,
)

test(
  '[W-597] whoever may only look is offered no sharing',
  async () => {
    await using visit = await panels.show({ kind: 'viewer-3d', mayChange: false })
    await open(visit.page, 'part.obj', Buffer.from(OBJ))
    await visit.page.getByText('Only you can see this model').waitFor()
    expect(await visit.page.getByRole('button', { name: 'Share with everybody' }).count()).toBe(0)
  },
  PATIENT,
)

/** A file that is there is not written without the revision that was read. */
function takeUploads(site: Site, files: WorkspaceFiles): void {
  site.answer(/\/files\/content$/, (request, response) => {
    const path = new URL(request.url ?? '/', site.url).searchParams.get('path') ?? ''
    if (request.method === 'GET') return void response.writeHead(200).end(files.contents.get(path))
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const isTaken = files.contents.has(path)
      const problem = { title: 'x', status: 412, code: 'file_changed' }
      const file = { path, revision: 1, size: 1, sha256: '', mediaType: '' }
      if (!isTaken) files.contents.set(path, Buffer.concat(parts))
      response.writeHead(isTaken ? 412 : 201, {
        'content-type': isTaken ? 'application/problem+json' : 'application/json',
      })
      response.end(JSON.stringify(isTaken ? problem : file))
    })
    return undefined
  })
}
