/** A board of 40 by 30 mm with a hole in it, three parts, one of them on the back, and two nets. */
export function sampleBoard({ mask = 'Blue', extra = '' } = {}): string {
  const line = (x1: number, y1: number, x2: number, y2: number) =>
    `(gr_line (start ${x1} ${y1}) (end ${x2} ${y2}) (stroke (width 0.1) (type solid)) (layer "Edge.Cuts"))`
  const part = (reference: string, value: string, at: string, pads: string, { side = 'F', more = '' } = {}) =>
    `(footprint "Test:${value}" (layer "${side}.Cu") (at ${at}) (uuid "${reference}") (sheetfile "main.kicad_sch")
      (property "Reference" "${reference}" (at 0 -3 0) (layer "${side}.SilkS") (effects (font (size 1 1) (thickness 0.15))))
      (property "Value" "${value}" (at 0 3 0) (layer "${side}.Fab") (effects (font (size 1 1))))
      (fp_rect (start -5 -3) (end 5 3) (stroke (width 0.05) (type solid)) (fill no) (layer "${side}.CrtYd")) ${more} ${pads})`
  const pad = (number: string, x: number, net: string, side = 'F') =>
    `(pad "${number}" smd rect (at ${x} 0) (size 2 2) (layers "${side}.Cu" "${side}.Mask") (net ${net}))`
  return `(kicad_pcb (version 20241229) (generator "pcbnew") (general (thickness 1.6))
    (layers (0 "F.Cu" signal) (4 "In1.Cu" signal) (2 "B.Cu" signal) (1 "F.Mask" user) (3 "B.Mask" user)
      (5 "F.SilkS" user "F.Silkscreen") (7 "B.SilkS" user) (25 "Edge.Cuts" user) (31 "F.CrtYd" user) (29 "B.CrtYd" user) (35 "F.Fab" user) (33 "B.Fab" user))
    (setup (stackup (layer "F.Mask" (color "${mask}"))))
    (net 0 "") (net 1 "GND") (net 2 "+5V")
    ${line(100, 100, 140, 100)} ${line(140, 100, 140, 130)} ${line(140, 130, 100, 130)} ${line(100, 130, 100, 100)}
    (gr_circle (center 105 105) (end 107 105) (stroke (width 0.1) (type solid)) (layer "Edge.Cuts"))
    ${part('U1', 'MCU', '120 115', pad('1', -3, '1 "GND"') + pad('2', 3, '2 "+5V"'), {
      more: '(property "Datasheet" "https://parts.example/mcu.pdf" (at 0 0 0) (layer "F.Fab") (hide yes) (effects (font (size 1 1)))) (property "Maker" "ACME" (at 0 0 0) (layer "F.Fab") (hide yes) (effects (font (size 1 1))))',
    })}
    ${part('R1', '10k', '120 125', pad('1', -3, '1 "GND"') + pad('2', 3, '2 "+5V"'))}
    ${part('J1', 'Plug', '130 107', pad('1', 0, '1 "GND"', 'B'), { side: 'B', more: '(property "Datasheet" "javascript:alert(1)" (at 0 0 0) (layer "B.Fab") (hide yes) (effects (font (size 1 1))))' })}
    (segment (start 123 115) (end 123 125) (width 1) (layer "F.Cu") (net 2))
    (segment (start 110 110) (end 110 128) (width 1) (layer "In1.Cu") (net 1))
    (via (at 110 110) (size 1) (drill 0.5) (layers "F.Cu" "B.Cu") (net 1))
    (zone (net 1) (net_name "GND") (layer "B.Cu") (filled_areas_thickness no)
      (filled_polygon (layer "B.Cu") (pts (xy 101 110) (xy 139 110) (xy 139 129) (xy 101 129))))
    ${extra})`
}
