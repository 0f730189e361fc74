/** A box of a STEP file, in millimeters. */
export interface StepBox {
  readonly name: string
  readonly size: readonly [x: number, y: number, z: number]
  readonly at?: readonly [x: number, y: number, z: number]
  /** Each from 0 to 1. */
  readonly color?: readonly [red: number, green: number, blue: number]
}

const ORIGIN = [0, 0, 0] as const

/** Corners by the bits of their number: 1 is X, 2 is Y, 4 is Z. */
const FACES: readonly {
  readonly corners: readonly [number, number, number, number]
  readonly normal: readonly [number, number, number]
}[] = [
  { corners: [0, 2, 3, 1], normal: [0, 0, -1] },
  { corners: [4, 5, 7, 6], normal: [0, 0, 1] },
  { corners: [0, 1, 5, 4], normal: [0, -1, 0] },
  { corners: [2, 6, 7, 3], normal: [0, 1, 0] },
  { corners: [0, 4, 6, 2], normal: [-1, 0, 0] },
  { corners: [1, 3, 7, 5], normal: [1, 0, 0] },
]

/** A file of AP214 in which each box is a product of its own. */
export function stepBoxes(boxes: readonly StepBox[]): Buffer {
  const lines: string[] = []
  const add = (entity: string): string => {
    lines.push(`#${lines.length + 1}=${entity};`)
    return `#${lines.length}`
  }
  const length = add('(LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.))')
  const angle = add('(NAMED_UNIT(*) PLANE_ANGLE_UNIT() SI_UNIT($,.RADIAN.))')
  const solid = add('(NAMED_UNIT(*) SI_UNIT($,.STERADIAN.) SOLID_ANGLE_UNIT())')
  const accuracy = add(
    `UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-7),${length},'distance_accuracy_value','')`,
  )
  const context = add(
    `(GEOMETRIC_REPRESENTATION_CONTEXT(3) GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((${accuracy})) GLOBAL_UNIT_ASSIGNED_CONTEXT((${length},${angle},${solid})) REPRESENTATION_CONTEXT('',''))`,
  )
  const application = add("APPLICATION_CONTEXT('automotive_design')")
  const productContext = add(`PRODUCT_CONTEXT('',${application},'mechanical')`)
  const definitionContext = add(`PRODUCT_DEFINITION_CONTEXT('part definition',${application},'design')`)
  const styled: string[] = []
  for (const { name, size, at = ORIGIN, color } of boxes) {
    const brep = add(`MANIFOLD_SOLID_BREP('${name}',${closedShell(add, size, at)})`)
    const origin = placement(add, ORIGIN, [0, 0, 1], [1, 0, 0])
    const shape = add(`ADVANCED_BREP_SHAPE_REPRESENTATION('',(${origin},${brep}),${context})`)
    const product = add(`PRODUCT('${name}','${name}','',(${productContext}))`)
    const formation = add(`PRODUCT_DEFINITION_FORMATION('','',${product})`)
    const definition = add(`PRODUCT_DEFINITION('design','',${formation},${definitionContext})`)
    const defined = add(`PRODUCT_DEFINITION_SHAPE('','',${definition})`)
    add(`SHAPE_DEFINITION_REPRESENTATION(${defined},${shape})`)
    if (color !== undefined) styled.push(add(`STYLED_ITEM('color',(${style(add, color)}),${brep})`))
  }
  if (styled.length > 0)
    add(`MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRESENTATION('',(${styled.join(',')}),${context})`)
  return Buffer.from(`ISO-10303-21;
HEADER;
FILE_DESCRIPTION((''),'2;1');
FILE_NAME('boxes','2026-01-01T00:00:00',(''),(''),'','','');
FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));
ENDSEC;
DATA;
${lines.join('\n')}
ENDSEC;
END-ISO-10303-21;
`)
}

type Add = (entity: string) => string
type Triple = readonly [number, number, number]

/** As the format has numbers: with a point. */
const real = (value: number) => (Number.isInteger(value) ? `${value}.` : String(value))
const list = (values: readonly number[]) => `(${values.map(real).join(',')})`

function placement(add: Add, at: Triple, axis: Triple, reference: Triple): string {
  const point = add(`CARTESIAN_POINT('',${list(at)})`)
  const up = add(`DIRECTION('',${list(axis)})`)
  return add(`AXIS2_PLACEMENT_3D('',${point},${up},${add(`DIRECTION('',${list(reference)})`)})`)
}

function closedShell(add: Add, size: Triple, at: Triple): string {
  const corners = Array.from(
    { length: 8 },
    (_, bits): Triple => [
      at[0] + (bits & 1 ? size[0] : 0),
      at[1] + (bits & 2 ? size[1] : 0),
      at[2] + (bits & 4 ? size[2] : 0),
    ],
  )
  const points = corners.map((corner) => add(`CARTESIAN_POINT('',${list(corner)})`))
  const vertices = points.map((point) => add(`VERTEX_POINT('',${point})`))
  const edges = new Map<string, string>()
  /** One edge serves two faces, one of them backwards. */
  const edge = (from: number, to: number): string => {
    const [low, high] = [Math.min(from, to), Math.max(from, to)]
    const [one, other] = [corners[low] ?? at, corners[high] ?? at]
    const known = edges.get(`${low}-${high}`)
    const along: Triple = [other[0] - one[0], other[1] - one[1], other[2] - one[2]]
    const distance = Math.hypot(...along)
    const made = () => {
      const direction = add(`DIRECTION('',${list(along.map((value) => value / distance))})`)
      const line = add(`LINE('',${points[low]},${add(`VECTOR('',${direction},1.)`)})`)
      return add(`EDGE_CURVE('',${vertices[low]},${vertices[high]},${line},.T.)`)
    }
    const curve = known ?? made()
    edges.set(`${low}-${high}`, curve)
    return add(`ORIENTED_EDGE('',*,*,${curve},${from === low ? '.T.' : '.F.'})`)
  }
  const faces = FACES.map(({ corners: around, normal }) => {
    const loop = around.map((corner, place) => edge(corner, around[(place + 1) % 4] ?? corner))
    const bound = add(`FACE_OUTER_BOUND('',${add(`EDGE_LOOP('',(${loop.join(',')}))`)},.T.)`)
    const reference: Triple = normal[0] === 0 ? [1, 0, 0] : [0, 1, 0]
    const plane = add(`PLANE('',${placement(add, corners[around[0]] ?? at, normal, reference)})`)
    return add(`ADVANCED_FACE('',(${bound}),${plane},.T.)`)
  })
  return add(`CLOSED_SHELL('',(${faces.join(',')}))`)
}

function style(add: Add, color: Triple): string {
  const rgb = add(`COLOUR_RGB('',${color.map(real).join(',')})`)
  const fill = add(`FILL_AREA_STYLE('',(${add(`FILL_AREA_STYLE_COLOUR('',${rgb})`)}))`)
  const side = add(`SURFACE_SIDE_STYLE('',(${add(`SURFACE_STYLE_FILL_AREA(${fill})`)}))`)
  return add(`PRESENTATION_STYLE_ASSIGNMENT((${add(`SURFACE_STYLE_USAGE(.BOTH.,${side})`)}))`)
}
