/** What the schematic editor says. */
export const words = {
  view: (title: string) => `${title}: sheet`,
  bar: {
    label: 'Schematic editor',
    open: 'Open a schematic',
    create: 'New schematic',
    sheet: 'Sheet (S)',
    fit: 'Fit sheet',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    undo: 'Undo',
    redo: 'Redo',
    wire: 'Wire (W)',
    bus: 'Bus (B)',
    symbol: 'Symbol (A)',
    power: 'Power symbol (P)',
    localLabel: 'Label (L)',
    globalLabel: 'Global label (Ctrl+L)',
    portLabel: 'Hierarchical label (H)',
    noConnect: 'No-connect (Q)',
    junction: 'Junction (J)',
    text: 'Text (T)',
    rotate: 'Rotate (R)',
    mirrorX: 'Mirror top to bottom (Y)',
    mirrorY: 'Mirror left to right (X)',
    duplicate: 'Duplicate (Ctrl+D)',
    remove: 'Delete (Del)',
    annotate: 'Number all symbols without a number, on all sheets',
    properties: 'Properties (E)',
    checks: 'Checks',
    checksFound: (errors: number, warnings: number) =>
      `Checks: ${errors === 1 ? '1 error' : `${errors} errors`}, ${warnings === 1 ? '1 warning' : `${warnings} warnings`}`,
  },
  sheets: { label: 'Sheets', root: 'Root' },
  help: 'Arrow keys move the cursor, Shift makes larger steps. Enter presses. W wire, L label, A symbol, P power, S sheet, M move, G drag, R rotate, X and Y mirror, Delete, Ctrl+D duplicate, Ctrl+Z undo, E properties, plus and minus zoom, Home fits the sheet. Enter on a sheet opens it, Backspace goes up. Escape ends a tool.',
  helpShort: 'W wire · A symbol · L label · M move · R rotate · E properties · Esc ends a tool',
  helpViewing: 'Drag or use the arrow keys to look around · Enter opens a sheet · Home fits it',
  loading: (path: string) => `Loading ${path}…`,
  none: {
    title: 'No schematic open',
    text: 'Open a KiCad schematic of this workspace to see and edit it here, together with others. Add files in the Files panel.',
    textViewing: 'Nobody has opened a schematic here yet.',
    choose: 'Open a schematic',
    create: 'New schematic',
  },
  chooseFile: { title: 'Open a schematic', none: 'This workspace has no .kicad_sch files yet' },
  state: {
    saved: 'Saved',
    saving: 'Saving…',
    unsent: 'Unsaved changes',
  },
  numbered: (symbols: number, files: number) =>
    `${symbols === 1 ? '1 symbol' : `${symbols} symbols`} numbered in ${files === 1 ? '1 file' : `${files} files`}`,
  net: (name: string) => `Net ${name}`,
  selected: (count: number) => (count === 1 ? '1 item selected' : `${count} items selected`),
  problems: {
    notASchematic: {
      title: 'This file is not a KiCad schematic',
      text: 'Files of KiCad 6 and later, with the ending .kicad_sch, can be shown.',
    },
    tooLong: {
      title: 'This sheet is too large to edit here',
      text: 'You can look at it. Sheets of up to one million characters can be edited.',
    },
    gone: { title: 'This file was deleted', text: 'You still see its last state. Open another schematic.' },
    unreadable: {
      title: 'The file cannot be read right now',
      text: 'Somebody is changing its text. You see its last readable state, and can go on once it is a schematic again.',
    },
    refused: 'Your changes are not saved',
    tangled: {
      title: 'Nets are not shown',
      text: 'Too many lines, labels or signals of buses are in the same places to find them.',
    },
    missing: (count: number) =>
      count === 1
        ? 'One sheet of this schematic is missing'
        : `${count} sheets of this schematic are missing`,
    dropped: (count: number) =>
      count === 1
        ? 'Your last change was dropped: somebody changed the same part first'
        : `${count} of your changes were dropped: somebody changed the same parts first`,
    notUndone: 'This cannot be undone: somebody has changed the same part since',
    notDone: 'This cannot be done here',
    notNumbered: (why: string | undefined) =>
      why === undefined ? 'The symbols were not numbered' : `The symbols were not numbered: ${why}`,
  },
  checks: {
    title: 'Checks',
    label: 'What the electrical rules check found',
    close: 'Close checks',
    soon: 'KiCad checks the schematic against its electrical rules once it is saved.',
    running: 'KiCad is checking the schematic…',
    stale: 'The schematic has changed since. It is checked again once you pause.',
    missing: 'Checks need KiCad, and none runs beside this server.',
    again: 'Check again',
    sheet: (name: string) => `Sheet ${name}`,
  },
  properties: {
    title: 'Properties',
    close: 'Close properties',
    none: 'Select something to see its properties.',
    several: (count: number) => `${count} items are selected. Select one to see its properties.`,
    kinds: {
      symbol: 'Symbol',
      wire: 'Wire',
      bus: 'Bus',
      bus_entry: 'Bus entry',
      junction: 'Junction',
      no_connect: 'No-connect',
      label: 'Label',
      global_label: 'Global label',
      hierarchical_label: 'Hierarchical label',
      text: 'Text',
      text_box: 'Text box',
      sheet: 'Sheet',
    },
    reference: 'Reference',
    text: 'Text',
    net: 'Net',
    library: 'Library symbol',
    pins: 'Pins',
    openSheet: 'Open sheet',
    addPins: (count: number) => `Add missing pins (${count})`,
    unconnected: 'Not connected',
  },
  text: {
    titles: {
      label: 'Add a label',
      global_label: 'Add a global label',
      hierarchical_label: 'Add a hierarchical label',
      text: 'Add a text',
    },
    field: 'Text',
    shape: 'Direction',
    shapes: {
      input: 'Input',
      output: 'Output',
      bidirectional: 'Bidirectional',
      tri_state: 'Tri-state',
      passive: 'Passive',
    },
    place: 'Place',
  },
  sheet: {
    title: 'Add a sheet',
    newSchematic: 'New schematic',
    name: 'Name',
    file: 'File',
    firstFile: 'schematic.kicad_sch',
    aboutFile: 'A file of this workspace. KiCad 9 opens it too.',
    aboutSheetFile: 'An existing file is used as it is.',
    badFile: 'A file cannot have this name.',
    itself: 'A sheet cannot contain itself. Choose another file.',
    create: 'Create',
  },
  symbols: {
    title: 'Add a symbol',
    power: 'Add a power symbol',
    search: 'Search symbols',
    loading: 'Loading libraries…',
    none: 'No symbol matches. Add libraries, or .kicad_sym files to this workspace, to find more.',
    libraries: 'Libraries…',
    found: (count: number, most: number) =>
      count > most
        ? `${count} symbols, the first ${most} are shown`
        : count === 1
          ? '1 symbol'
          : `${count} symbols`,
    unread: (paths: string) => `Could not be read: ${paths}`,
  },
  libraries: {
    title: 'Libraries',
    loading: 'Loading libraries…',
    here: 'Libraries of this workspace',
    none: 'This workspace has no library packages. What you add brings symbols, and footprints and 3D models for KiCad.',
    search: 'Search libraries of the registry',
    searching: 'Searching…',
    found: 'Libraries of the registry',
    noneFound: 'No library matches. A private one is added by its whole identifier.',
    which: (identifier: string, version: string | undefined) =>
      version === undefined ? identifier : `${identifier} · version ${version}`,
    parts: (symbols: number, footprints: number, models: number) =>
      [
        ...(symbols === 0 ? [] : [symbols === 1 ? '1 symbol library' : `${symbols} symbol libraries`]),
        ...(footprints === 0
          ? []
          : [footprints === 1 ? '1 footprint library' : `${footprints} footprint libraries`]),
        ...(models === 0 ? [] : [models === 1 ? '1 3D model' : `${models} 3D models`]),
      ].join(', '),
    add: 'Add',
    added: 'Added',
    update: (version: string) => `Change to ${version}`,
    remove: (name: string) => `Remove ${name}`,
  },
}
