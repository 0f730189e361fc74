/** What the 3D viewer says. */
export const words = {
  bar: {
    label: '3D viewer',
    open: 'Open a file',
    choose: 'Choose from the workspace',
    address: 'Address of a model',
    addressExample: 'example.com/model.glb',
    fit: 'Fit to the view',
    reset: 'Reset the view',
    wireframe: 'Wireframe',
    grid: 'Grid',
    axes: 'Axes',
    parts: 'Parts',
    measure: 'Measure',
    section: 'Section',
  },
  parts: {
    label: 'Parts of the model',
    count: (count: number, isCut: boolean) =>
      isCut
        ? `First ${count.toLocaleString('en')} parts`
        : count === 1
          ? '1 part'
          : `${count.toLocaleString('en')} parts`,
    unnamed: 'Part',
    showAll: 'Show all',
    hide: 'Hide',
    show: 'Show',
    isolate: 'Isolate',
    endIsolation: 'End isolation',
    hidden: '(hidden)',
    isolated: '(isolated)',
    full: 'Limit reached (100 hidden parts). Hide the group around them, or isolate what you want to see.',
  },
  licenses: {
    before: 'STEP is read by ',
    kernel: 'Open CASCADE',
    between: ' through ',
    library: 'occt-import-js',
    after: ' (LGPL 2.1)',
  },
  onlyHere: {
    title: 'Only you can see this model',
    text: 'Nobody else sees it, and it’s gone when the page is reloaded. Share it to keep it in the files of the workspace.',
    textViewer: 'Nobody else sees it, and it’s gone when the page is reloaded.',
    dismiss: 'Dismiss',
    share: 'Share with everybody',
    sharing: (name: string) => `Uploading ${name}`,
    noName: {
      title: 'The file could not be named',
      text: 'models/ has too many files with this name. Rename yours.',
    },
  },
  drop: 'Drop a model here',
  keys: 'Arrow keys turn it, + and − zoom, F fits, R resets, Escape clears',
  none: {
    title: 'No model yet',
    text: 'Drop a glTF, STEP, STL, OBJ or PLY file here, open one, choose one of the workspace, or type its address.',
  },
  loading: (name: string) => `Loading ${name}`,
  triangles: (count: number) => (count === 1 ? '1 triangle' : `${count.toLocaleString('en')} triangles`),
  units: {
    bytes: 'B',
    kilobytes: 'kB',
    megabytes: 'MB',
  },
  tooLarge: {
    title: 'The model is too large',
    text: 'Files of up to 64 MiB can be shown here.',
    asText: 'Models that are text can have 32 MiB. Export it as a binary file.',
    step: 'STEP files of up to 32 MiB can be shown. Export it as glTF.',
    memory: 'To read it takes more than 1 GiB of memory. Export a smaller part, or export it as glTF.',
  },
  tooDetailed: {
    title: 'The model is too detailed',
    text: 'It has more corners, parts or pictures than can be shown here.',
  },
  tooSlow: {
    title: 'The model takes too long',
    text: 'It could not be read within a minute.',
  },
  gone: {
    title: 'The model is gone',
    text: (path: string) => `There is no ${path} anymore. Choose another file.`,
  },
  chooseFile: {
    title: 'Choose a model',
    none: 'The workspace has no models yet. Drop one here, or upload it in the Files panel.',
  },
  notFetched: {
    title: 'The model could not be fetched',
    text: 'Its server did not send it.',
  },
  noModel: {
    title: 'This is no 3D model',
    text: 'Files that end with .glb, .gltf, .step, .stp, .stl, .obj or .ply can be shown.',
  },
  empty: {
    title: 'The model has no shape',
    step: 'The file was read, and describes nothing that has a surface.',
  },
  noReader: {
    title: 'STEP files cannot be read now',
    text: 'The part of the app that reads them could not be loaded. Try again.',
  },
  version: {
    title: 'This version of glTF cannot be shown',
    text: 'Models of glTF 2.0 can; export it again as such.',
  },
  compressed: {
    title: 'Compressed models cannot be shown',
    text: (compression: string) => `This one needs ${compression}. Export it again without compression.`,
  },
  needsFiles: {
    title: 'The model needs other files',
    text: (file: string) =>
      `It refers to “${file}”, which is not inside it. Export it as .glb, with everything in one file.`,
  },
  incomplete: {
    title: 'The model is incomplete',
    text: 'It speaks of data that is not in the file.',
  },
  damaged: {
    title: 'The model is damaged',
    cutOff: 'The file ends before its data does.',
    encoding: 'Data inside the file cannot be decoded.',
    parts: 'It could not be read: its parts do not fit together.',
  },
}
