import {
  BoxGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  PerspectiveCamera,
  Plane,
  Vector2,
  Vector3,
} from 'three'
import { expect, test } from 'vitest'
import { distanceInWords } from '../../src/workspace/panels/stage/measure-model.ts'
import { applyVisibility, Highlight } from '../../src/workspace/panels/stage/part-looks.ts'
import { pickPoint } from '../../src/workspace/panels/stage/pick-point.ts'
import { SectionCut, sectionPlane } from '../../src/workspace/panels/stage/section-plane.ts'
import { checkParts } from '../../src/workspace/panels/viewer-3d/model-limits.ts'
import { partOf, partRows, partTree } from '../../src/workspace/panels/viewer-3d/part-tree.ts'

const GEOMETRY = new BoxGeometry(2, 2, 2)
const MATERIAL = new MeshBasicMaterial()

function mesh(name = ''): Mesh {
  const made = new Mesh(GEOMETRY, MATERIAL)
  made.name = name
  return made
}

function group(name: string, ...inside: Object3D[]): Group {
  const made = new Group()
  made.name = name
  made.add(...inside)
  return made
}

const namesOf = (model: Object3D) => {
  const tree = partTree(model)
  return partRows(tree, new Set(tree.byPath.keys())).map(({ path, name }) => `${path} ${name}`)
}

test('[W-644] the parts of a model are listed as its file has them, without groups that say nothing', () => {
  const model = group(
    '',
    group(
      'Scene',
      group('Arm', mesh('Bolt'), mesh('Bolt'), group('', mesh('Plate'))),
      group('', mesh(), mesh()),
      group('Lights only', new Object3D()),
    ),
  )
  expect(namesOf(model)).toEqual([
    '0 Arm',
    '0/0 Bolt',
    '0/1 Bolt (2)',
    '0/2 Plate',
    '1 Part',
    '1/0 Part (2)',
    '1/1 Part (3)',
  ])
  expect(namesOf(group('', mesh('Only')))).toEqual(['0 Only'])
})

test('[W-644] no two parts have one name, whatever names the file has, and what is hidden in names is not shown', () => {
  const names = namesOf(
    group('', mesh('A (2)'), mesh('A'), mesh('A'), mesh('x'.repeat(300)), mesh('x'.repeat(300))),
  )
  expect(names.map((name) => name.slice(2))).toEqual([
    'A (2)',
    'A',
    'A (3)',
    'x'.repeat(100),
    `${'x'.repeat(96)} (2)`,
  ])
  expect(namesOf(group('', mesh('gpj\u202e.exe'), mesh('\u200b')))).toEqual(['0 gpj.exe', '1 Part'])
})

test('[W-644] 5,000 parts and 20 levels are listed', () => {
  const wide = partTree(group('', ...Array.from({ length: 5_001 }, () => mesh('Bolt'))))
  expect([wide.byPath.size, wide.isCut]).toEqual([5_000, true])
  let deep: Object3D = mesh('Core')
  for (let level = 0; level < 30; level += 1) deep = group(`Level ${level}`, deep, mesh('Side'))
  const { byPath, isCut } = partTree(deep)
  expect(Math.max(...[...byPath.keys()].map((path) => path.split('/').length))).toBe(20)
  expect(isCut).toBe(true)
})

test('[W-644] a model of more levels or parts than can be gone through is refused', () => {
  let deep: Object3D = mesh()
  for (let level = 0; level < 2_000; level += 1) {
    const around = new Object3D()
    // As `add` does, which would tell each of them.
    around.children.push(deep)
    deep = around
  }
  expect(() => checkParts(deep)).toThrow('The model is too detailed')
  const wide = new Object3D()
  const one = new Object3D()
  wide.children.push(...Array.from({ length: 50_001 }, () => one))
  expect(() => checkParts(wide)).toThrow('The model is too detailed')
  expect(() => checkParts(group('', mesh()))).not.toThrow()
})

test('[W-646] a part is hidden with what is in it, and an isolated one is all that is drawn', () => {
  const [bolt, plate, other] = [mesh('Bolt'), mesh('Plate'), mesh('Other')]
  plate.add(bolt)
  const model = group('', plate, other)
  const drawn = () => {
    const names: string[] = []
    model.traverseVisible((object) => {
      if (object instanceof Mesh && object.layers.isEnabled(0)) names.push(object.name)
    })
    return names
  }
  const show = (hidden: Object3D[], isolated?: Object3D) =>
    applyVisibility(model, { hidden: new Set(hidden), isolated, selected: undefined })
  show([plate])
  expect(drawn()).toEqual(['Other'])
  show([], bolt)
  expect(drawn()).toEqual(['Bolt'])
  show([bolt], bolt)
  expect(drawn()).toEqual(['Bolt'])
  show([])
  expect(drawn()).toEqual(['Plate', 'Bolt', 'Other'])
})

test('[W-645] a selected part has another color, and the others that share its material do not', () => {
  const [one, other] = [mesh(), mesh()]
  const highlight = new Highlight()
  highlight.set(one)
  expect([one.material === MATERIAL, other.material === MATERIAL]).toEqual([false, true])
  highlight.set(other)
  expect([one.material === MATERIAL, other.material === MATERIAL]).toEqual([true, false])
  highlight.clear()
  expect(other.material).toBe(MATERIAL)
})

function looking(model: Object3D, plane?: Plane) {
  const camera = new PerspectiveCamera(45, 1)
  camera.position.set(0, 0, 10)
  camera.updateMatrixWorld()
  model.updateWorldMatrix(true, true)
  return { model, camera, plane, size: new Vector2(400, 400) }
}

test('[W-647] a point is taken from the surface that is seen, or from a corner nearby', () => {
  const [near, far] = [mesh('Near'), mesh('Far')]
  far.position.z = -4
  const model = group('', near, far)
  const all = looking(model)
  const middle = new Vector2(0.02, 0.01)
  expect(pickPoint(middle, all)?.point.z).toBeCloseTo(1)
  expect(pickPoint(new Vector2(0.9, 0.9), all)).toBeUndefined()
  const corner = new Vector3(1, 1, 1).project(all.camera)
  expect(pickPoint(new Vector2(corner.x - 0.02, corner.y - 0.02), all)?.point.toArray()).toEqual([1, 1, 1])
  // Neither what is hidden nor what is cut away is seen.
  near.visible = false
  expect(pickPoint(middle, all)?.object.name).toBe('Far')
  near.visible = true
  expect(pickPoint(middle, looking(model, new Plane(new Vector3(0, 0, -1), -2)))?.object.name).toBe('Far')
  const tree = partTree(model)
  expect(partOf(tree, far)?.name).toBe('Far')
})

test('[W-648] a distance is told with its unit, along the axes of the file', () => {
  const [from, to] = [new Vector3(0, 0, 0), new Vector3(0.003, 0.004, -0.012)]
  expect(distanceInWords(from, to, false)).toBe('13 mm (ΔX 3, ΔY 4, ΔZ 12)')
  expect(distanceInWords(from, to, true)).toBe('13 mm (ΔX 3, ΔY 12, ΔZ 4)')
  expect(distanceInWords(from, new Vector3(0, 1.5, 0), false)).toBe('1.5 m (ΔX 0, ΔY 1.5, ΔZ 0)')
  expect(distanceInWords(from, new Vector3(0.0254, 0, 0), false)).toBe('25.4 mm (ΔX 25.4, ΔY 0, ΔZ 0)')
})

test.each([
  ['x', false, [0.4, 0, 0], [0.6, 0, 0]],
  ['y', false, [0, 0.4, 0], [0, 0.6, 0]],
  // Z of the file is up, and Y leads away.
  ['z', true, [0, 0.4, 0], [0, 0.6, 0]],
  ['y', true, [0, 0, -0.4], [0, 0, -0.6]],
] as const)(
  '[W-649] along %s (Z up: %s) what lies above the plane is cut away',
  (axis, isZUp, below, above) => {
    const model = group('', mesh())
    const isKept = (point: readonly [number, number, number], isFlipped: boolean) =>
      sectionPlane(model, { axis, position: 0.75, isFlipped }, isZUp).distanceToPoint(
        new Vector3(...point),
      ) >= 0
    expect([isKept(below, false), isKept(above, false)]).toEqual([true, false])
    expect([isKept(below, true), isKept(above, true)]).toEqual([false, true])
  },
)

test('[W-649] a cut shows both sides of faces, and its end leaves them as they were', () => {
  const material = new MeshBasicMaterial()
  const { side } = material
  const cut = new SectionCut()
  cut.apply([material], new Plane())
  expect([material.side === side, material.clippingPlanes?.length]).toEqual([false, 1])
  cut.apply([material], undefined)
  expect([material.side === side, material.clippingPlanes]).toEqual([true, null])
})
