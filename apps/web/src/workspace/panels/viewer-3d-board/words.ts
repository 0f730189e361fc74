/** What the 3D board viewer says. */
export const words = {
  bar: {
    label: '3D board viewer',
    choose: 'Choose a board',
    top: 'From the front',
    bottom: 'From the back',
    corner: 'From the corner',
    fit: 'Fit to the view',
    lists: 'Parts, nets and layers',
    measure: 'Measure',
    section: 'Section',
  },
  keys: 'Arrow keys turn it, T and B show the sides, + and − zoom, F fits, R resets, Escape clears',
  none: {
    title: 'No board yet',
    text: 'Choose a KiCad board (.kicad_pcb) of the workspace. Upload one in the Files panel if there is none.',
  },
  chooseFile: {
    title: 'Choose a board',
    none: 'The workspace has no KiCad boards yet. Upload a .kicad_pcb file in the Files panel.',
  },
  loading: (name: string) => `Loading ${name}`,
  facts: (facts: { name: string; size: string; parts: number; nets: number; copper: number }) =>
    [
      facts.name,
      facts.size,
      count(facts.copper, 'copper layer'),
      count(facts.parts, 'part'),
      count(facts.nets, 'net'),
    ].join(' · '),
  noEdge: {
    title: 'The board has no closed edge',
    text: 'A box around everything is shown. Close the outline on Edge.Cuts in KiCad.',
  },
  isCut: {
    title: 'Not everything is shown',
    text: 'The board has more on it than can be shown here.',
  },
  lists: {
    label: 'Parts, nets and layers',
    parts: 'Parts',
    nets: 'Nets',
    layers: 'Layers',
    search: 'Search',
    searchParts: 'Reference, value, footprint',
    searchNets: 'Name of a net',
    found: (found: number, shown: number) =>
      found > shown
        ? `First ${shown.toLocaleString('en')} of ${found.toLocaleString('en')}. Type to find others.`
        : found === 0
          ? 'Nothing found.'
          : found.toLocaleString('en'),
    noReference: '(no reference)',
    pads: (pads: number) => count(pads, 'pad'),
    hiddenNet: 'hidden',
    notFitted: 'not fitted',
  },
  part: {
    label: 'Selected part',
    value: 'Value',
    footprint: 'Footprint',
    datasheet: 'Datasheet',
    sheet: 'Schematic',
    side: 'Side',
    front: 'Front',
    back: 'Back',
    place: (x: string, y: string, angle: string) => `${x}, ${y} mm, ${angle}°`,
    nets: 'Its nets',
    noNets: 'It is connected to nothing.',
    clear: 'Clear the selection',
  },
  net: {
    label: 'Highlighted net',
    hide: 'Hide',
    show: 'Show',
    clear: 'Clear the highlight',
    pads: (pads: string) => `Connects ${pads}.`,
    more: (more: number) => `and ${more.toLocaleString('en')} more`,
    full: 'Limit reached (100 hidden nets).',
  },
  engine: {
    building: 'KiCad is building the components…',
    placing: (found: number, parts: number) =>
      `Models of ${found.toLocaleString('en')} of ${count(parts, 'part')}`,
    missing: {
      title: 'Components need KiCad',
      text: 'No KiCad runs beside this server. The board is shown without components until one does.',
      dismiss: 'Dismiss',
    },
  },
  changes: {
    tab: 'Changes',
    text: 'Compare the board with a version before:',
    none: 'This is the first version of the file. Once it is changed, it can be compared here.',
    loading: 'Loading versions',
    comparing: 'Comparing',
    colors: 'Green is new, red is gone. Areas that fill zones are left out.',
    same: 'Nothing on the layers is different.',
    added: 'added',
    removed: 'removed',
    moved: 'moved',
    changed: 'changed',
    sideBySide: 'Side by side',
    before: 'Before',
    beforeOf: (title: string) => `${title}, the version before`,
    now: 'Now',
    end: 'End comparison',
  },
  checks: {
    tab: 'Checks',
    label: 'What the design rules check found',
    text: 'KiCad checks the board against its design rules. What it finds is marked in the view.',
    begin: 'Run the check',
    running: 'KiCad is checking the board…',
  },
  layers: {
    body: 'Board',
    components: 'Components',
    reset: 'As finished',
    all: 'All copper',
  },
  tooLarge: {
    title: 'The board is too large',
    text: 'Files of up to 100 MiB that fit into the memory of this browser can be shown.',
  },
  tooSlow: {
    title: 'The board takes too long',
    text: 'It could not be read within a minute and a half.',
  },
  noReader: {
    title: 'Boards cannot be read now',
    text: 'The part of the app that reads them could not be loaded. Try again.',
  },
  noBoard: {
    title: 'This is no KiCad board',
    text: 'Files of KiCad 6 and later that end with .kicad_pcb can be shown.',
  },
  damaged: { title: 'The board is damaged' },
  gone: {
    title: 'The board is gone',
    text: (path: string) => `There is no ${path} anymore. Choose another file.`,
  },
}

function count(amount: number, what: string): string {
  return `${amount.toLocaleString('en')} ${what}${amount === 1 ? '' : 's'}`
}
