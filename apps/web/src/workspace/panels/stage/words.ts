/** What stands around the stage that models and boards are shown on. */
export const words = {
  view: (title: string) => `${title}: 3D view`,
  measure: {
    first: 'Select a point on the model, or press Enter for the middle of the view.',
    second: 'Select a second point.',
    distance: (distance: string, [x = '', y = '', z = '']: readonly string[]) =>
      `${distance} (ΔX ${x}, ΔY ${y}, ΔZ ${z})`,
    assumed: 'The file names no unit; millimeters are assumed.',
    clear: 'Clear the measurement',
  },
  section: {
    label: 'Section plane',
    axis: 'Axis',
    axisNamed: (axis: string) => `Along ${axis}`,
    position: 'Position',
    percent: (percent: number) => `${percent} %`,
    flip: 'Flip',
  },
  units: {
    millimeters: 'mm',
    meters: 'm',
  },
  noGraphics: {
    title: '3D graphics are not available',
    text: 'WebGL is missing or turned off. Another browser, or hardware acceleration in the settings of this one, helps.',
  },
  graphicsLost: {
    title: 'The graphics driver stopped working',
    text: 'Close this panel and open it again.',
  },
}
