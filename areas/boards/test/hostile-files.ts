/** Files that somebody made to see what happens: each is one project of `x.kicad_sch` and `x.kicad_pcb`. */
export interface HostileProject {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
}

const UUID = '11111111-1111-4111-8111-111111111111'
const schematic = (body: string) =>
  `(kicad_sch (version 20250114) (generator "eeschema") (generator_version "9.0") (uuid "${UUID}") (paper "A4") (lib_symbols) ${body} (sheet_instances (path "/" (page "1"))))`
const board = (body: string) =>
  `(kicad_pcb (version 20241229) (generator "pcbnew") (generator_version "9.0") (general (thickness 1.6)) (paper "A4") (layers (0 "F.Cu" signal) (2 "B.Cu" signal) (25 "Edge.Cuts" user)) (setup) (net 0 "") ${body})`

const sheet = (file: string, at = 0) =>
  `(sheet (at ${20 + at} 20) (size 10 10) (stroke (width 0.1)) (fill (color 0 0 0 0)) (uuid "${UUID.slice(0, -4)}${String(1000 + at)}") (property "Sheetname" "s${at}" (at 20 20 0)) (property "Sheetfile" "${file}" (at 20 30 0)) (instances (project "x" (path "/${UUID}" (page "2")))))`
const model = (path: string) =>
  `(footprint "a:b" (layer "F.Cu") (uuid "${UUID}") (at 50 50) (property "Reference" "U1" (at 0 0 0) (layer "F.SilkS")) (model "${path}" (offset (xyz 0 0 0)) (scale (xyz 1 1 1)) (rotate (xyz 0 0 0))))`
const outline = `(gr_rect (start 0 0) (end 100 100) (stroke (width 0.1) (type solid)) (fill no) (layer "Edge.Cuts") (uuid "${UUID}"))`

const both = (name: string, sch: string, pcb = sch): HostileProject => ({
  name,
  files: { 'x.kicad_sch': sch, 'x.kicad_pcb': pcb, 'x.kicad_pro': '{}' },
})
const more = (name: string, files: Readonly<Record<string, string>>): HostileProject => ({
  name,
  files: {
    'x.kicad_sch': schematic(''),
    'x.kicad_pcb': board(outline),
    'x.kicad_pro': '{}',
    ...files,
  },
})

/** `canary`: a file of the machine that nobody may read or write. */
export function hostileProjects(canary: string, count: number): HostileProject[] {
  const escapes = [
    canary,
    '/etc/passwd',
    '../../../../../../etc/passwd',
    `../../..${canary}`,
    '/proc/self/environ',
    '/dev/zero',
    '/work/home/x',
    'file:///etc/passwd',
    '${HOME}/x',
    '${KIPRJMOD}/../../etc/passwd',
    '~/x',
    '\\\\host\\share',
    'http://127.0.0.1:22/x',
  ]
  const numbers = [
    '1e308',
    '-1e308',
    '99999999999999999999',
    'nan',
    'inf',
    '-0',
    '1e-308',
    '0x7fffffff',
    '2147483648',
    '-2147483649',
  ]
  const texts = [
    '%n%n%n%s',
    '\u0000',
    '\uffff',
    '\ud83d',
    '${A}${A}',
    '${##}',
    '"',
    "'; rm -rf / ;'",
    '$(touch /tmp/x)',
    '`id`',
    '\u202e',
    '<script>alert(1)</script>',
    '../'.repeat(50),
    'A'.repeat(100_000),
  ]
  const depths = [100, 1_000, 10_000, 100_000]
  const fixed: HostileProject[] = [
    both('nothing', ''),
    both('no text', '\u0000\u0001\u0002'),
    both('half a file', schematic('').slice(0, 80), board('').slice(0, 80)),
    both('an open string', '(kicad_sch "', '(kicad_pcb "'),
    both('another kind', board(''), schematic('')),
    both(
      'a version of the future',
      schematic('').replace('20250114', '99999999'),
      board('').replace('20241229', '99999999'),
    ),
    more('a sheet that holds itself', { 'x.kicad_sch': schematic(sheet('x.kicad_sch')) }),
    more('sheets in a circle', {
      'x.kicad_sch': schematic(sheet('y.kicad_sch')),
      'y.kicad_sch': schematic(sheet('z.kicad_sch')),
      'z.kicad_sch': schematic(sheet('y.kicad_sch')),
    }),
    more('sheets that multiply', {
      'x.kicad_sch': schematic(Array.from({ length: 10 }, (_, at) => sheet('y1.kicad_sch', at)).join('')),
      ...Object.fromEntries(
        Array.from({ length: 6 }, (_, level) => [
          `y${level + 1}.kicad_sch`,
          schematic(
            level === 5
              ? ''
              : Array.from({ length: 10 }, (_each, at) => sheet(`y${level + 2}.kicad_sch`, at)).join(''),
          ),
        ]),
      ),
    }),
    more('a project that is no JSON', { 'x.kicad_pro': '{"a":'.repeat(20_000) }),
    more('a project that is a list', { 'x.kicad_pro': '[[[[]]]]' }),
    more('a picture that is none', {
      'x.kicad_sch': schematic(`(image (at 50 50) (uuid "${UUID}") (data "${'A'.repeat(1_000)}"))`),
    }),
    more('many segments', {
      'x.kicad_pcb': board(
        outline +
          Array.from(
            { length: 20_000 },
            (_, at) => `(segment (start ${at % 99} 1) (end 1 ${at % 97}) (width 0.2) (layer "F.Cu") (net 0))`,
          ).join(''),
      ),
    }),
    more('a table of libraries elsewhere', {
      'sym-lib-table': `(sym_lib_table (version 7) (lib (name "a")(type "KiCad")(uri "${canary}")(options "")(descr "")) (lib (name "b")(type "KiCad")(uri "/etc/passwd")(options "")(descr "")))`,
      'fp-lib-table': `(fp_lib_table (version 7) (lib (name "a")(type "KiCad")(uri "/etc")(options "")(descr "")) (lib (name "c")(type "Github")(uri "http://127.0.0.1/")(options "")(descr "")))`,
    }),
    more('a library of the database kind', {
      'sym-lib-table': `(sym_lib_table (version 7) (lib (name "a")(type "Database")(uri "\${KIPRJMOD}/a.kicad_dbl")(options "")(descr "")) (lib (name "h")(type "HTTP")(uri "\${KIPRJMOD}/a.kicad_httplib")(options "")(descr "")))`,
    }),
    more('rules that never end', {
      'x.kicad_dru': `(version 1)\n${'(rule a (condition "A.x == B.x")(constraint clearance (min 1mm)))\n'.repeat(2_000)}`,
    }),
    more('names of layers that lead elsewhere', {
      'x.kicad_pcb': board(outline).replace('(0 "F.Cu" signal)', `(0 "F.Cu" signal "../../../..${canary}")`),
    }),
    more('a sheet whose name leads elsewhere', {
      'x.kicad_sch': schematic(sheet('y.kicad_sch').replace('"s0"', `"../../../..${canary}"`)),
      'y.kicad_sch': schematic(''),
    }),
    more('a title that leads elsewhere', {
      'x.kicad_sch': schematic('').replace(
        '(lib_symbols)',
        `(title_block (title "\${FILEPATH}") (comment 1 "@{${canary}}")) (lib_symbols)`,
      ),
    }),
  ]
  const made: HostileProject[] = []
  for (let round = 0; made.length < count; round += 1) {
    for (const path of escapes) {
      made.push(more(`a sheet at ${path} (${round})`, { 'x.kicad_sch': schematic(sheet(path, round)) }))
      made.push(more(`a model at ${path} (${round})`, { 'x.kicad_pcb': board(outline + model(path)) }))
      made.push(
        more(`a drawing sheet at ${path} (${round})`, {
          'x.kicad_pro': JSON.stringify({
            schematic: { page_layout_descr_file: path },
            pcbnew: { page_layout_descr_file: path },
          }),
        }),
      )
    }
    for (const number of numbers)
      made.push(
        both(
          `${number} (${round})`,
          schematic(`(wire (pts (xy ${number} ${round}) (xy 1 ${number})) (uuid "${UUID}"))`),
          board(
            `${outline}(segment (start ${number} 0) (end ${round} ${number}) (width ${number}) (layer "F.Cu") (net 0))`,
          ),
        ),
      )
    for (const text of texts)
      made.push(
        both(
          `the text ${JSON.stringify(text.slice(0, 20))} (${round})`,
          schematic(`(text ${JSON.stringify(text)} (at ${10 + round} 10 0) (uuid "${UUID}"))`),
          board(
            `${outline}(gr_text ${JSON.stringify(text)} (at ${10 + round} 10) (layer "F.Cu") (uuid "${UUID}"))`,
          ),
        ),
      )
    for (const depth of depths)
      made.push(
        both(
          `${depth + round} deep`,
          schematic('(a '.repeat(depth + round) + ')'.repeat(depth + round)),
          board('(a '.repeat(depth + round) + ')'.repeat(depth + round)),
        ),
      )
  }
  // Of each kind some, whatever the count is.
  const stride = Math.max(1, Math.floor(made.length / Math.max(1, count - fixed.length)))
  return [...fixed, ...made.filter((_, at) => at % stride === 0)].slice(0, count)
}
