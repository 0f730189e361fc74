import { type Static, type TObject, type TSchema, Type } from 'typebox'
import {
  DOCUMENT_LIMITS,
  EDITOR_TEXT_LENGTH,
  FILE_LIMITS,
  LONGEST_KEPT_CODE,
  SANDBOX_LIMITS,
} from '../core/limits.ts'
import { WEB_ADDRESS, WEBVIEW_ADDRESS } from './actions.ts'
import { DEVICE_PANELS, type DevicePanelRole, type DevicePanelRoles, MOST_BOUND } from './device-panels.ts'

const STRICT = { additionalProperties: false } as const
const flag = Type.Optional(Type.Boolean())
/** A number that moves when the panel shall do something again. Set by the server. */
const stamp = Type.Optional(Type.Integer())
const webAddress = Type.String({ pattern: WEB_ADDRESS })
const address = Type.Optional(webAddress)

export const webviewState = Type.Object(
  {
    url: Type.Optional(Type.String({ pattern: WEBVIEW_ADDRESS })),
    isHeaderHidden: flag,
    isProxyEnabled: flag,
    refresh: stamp,
  },
  STRICT,
)
export type WebviewState = Static<typeof webviewState>

/** An origin that code may be allowed to reach. */
export const CONNECT_ORIGIN = '^https://[a-z0-9.-]{1,253}(?::[0-9]{1,5})?$'

/** Set by the server. */
const lastRun = Type.Object(
  {
    code: Type.Optional(
      Type.String({ description: `Missing if it has more than ${LONGEST_KEPT_CODE} characters.` }),
    ),
    by: Type.Object({ kind: Type.String(), name: Type.String(), handle: Type.String() }, STRICT),
    at: Type.String({ description: 'When it was sent, as in ISO 8601.' }),
  },
  { ...STRICT, description: 'The code that was sent last, and by whom.' },
)
export type LastRun = Static<typeof lastRun>

export const sandboxState = Type.Object(
  {
    isHeaderHidden: flag,
    connect: Type.Optional(
      Type.Array(Type.String({ pattern: CONNECT_ORIGIN }), {
        maxItems: 10,
        uniqueItems: true,
        description: 'Origins that code may reach; none unless declared.',
      }),
    ),
    reset: stamp,
    lastRun: Type.Optional(lastRun),
  },
  STRICT,
)
export type SandboxState = Static<typeof sandboxState>

export const EDITOR_LANGUAGES = [
  'text',
  'c',
  'cpp',
  'javascript',
  'json',
  'markdown',
  'python',
  'rust',
  'toml',
  'verilog',
  'vhdl',
  'xml',
  'yaml',
] as const

/** Named by a page that has another text, made on an older one and stored nowhere, until its person has decided. */
const conflict = Type.Optional(Type.String({ minLength: 1, maxLength: 64 }))

export const codeEditorState = Type.Object(
  {
    text: Type.Optional(Type.String({ maxLength: EDITOR_TEXT_LENGTH })),
    fileName: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    language: Type.Optional(Type.Enum([...EDITOR_LANGUAGES])),
    conflict,
    files: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: FILE_LIMITS.pathBytes }), {
        maxItems: DOCUMENT_LIMITS.open,
        uniqueItems: true,
        description: 'Files of the workspace that are open in it. With any, `text` is not shown.',
      }),
    ),
    active: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: FILE_LIMITS.pathBytes,
        description: 'The file that was opened last. Which one each person looks at is their own.',
      }),
    ),
  },
  STRICT,
)
export type CodeEditorState = Static<typeof codeEditorState>

/** Of a file of the workspace, or of a folder. */
const path = Type.String({ minLength: 1, maxLength: FILE_LIMITS.pathBytes })

export const scriptRunnerState = Type.Object(
  {
    code: Type.Optional(Type.String({ maxLength: SANDBOX_LIMITS.codeLength })),
    path: Type.Optional({
      ...path,
      description: 'The file of the workspace that is run, JavaScript or MicroPython; without it, `code`.',
    }),
    conflict,
  },
  STRICT,
)
export type ScriptRunnerState = Static<typeof scriptRunnerState>

export const curriculumState = Type.Object(
  {
    folder: Type.Optional({
      ...path,
      description: 'The folder whose Markdown files are the lessons; `/` for the top of the workspace.',
    }),
  },
  STRICT,
)
export type CurriculumState = Static<typeof curriculumState>

/** Of the parts of a model that can be named in a state. */
export const MODEL_PARTS = { nameLength: 100, hidden: 100 }
export const SECTION_AXES = ['x', 'y', 'z'] as const
const partName = Type.String({ minLength: 1, maxLength: MODEL_PARTS.nameLength })

const section = Type.Object(
  {
    axis: Type.Enum([...SECTION_AXES], { description: 'Of the file.' }),
    position: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Where along the model, from its lowest point on that axis to its highest.',
    }),
    isFlipped: Type.Optional(Type.Boolean({ description: 'Shows what lies above the plane, not below it.' })),
  },
  { ...STRICT, description: 'A plane that cuts the model open. `null` shows all of it again.' },
)

export const viewer3dState = Type.Object(
  {
    url: address,
    path: Type.Optional({ ...path, description: 'A file of the workspace; it is shown instead of `url`.' }),
    section: Type.Optional(section),
    isolated: Type.Optional({
      ...partName,
      description: 'The one part that is shown, by its name in the list of parts.',
    }),
    hidden: Type.Optional(
      Type.Array(partName, {
        maxItems: MODEL_PARTS.hidden,
        uniqueItems: true,
        description: 'Parts that are not shown, by their names in the list of parts.',
      }),
    ),
  },
  STRICT,
)
export type Viewer3dState = Static<typeof viewer3dState>

/** What the state of a board can name. */
export const BOARD_VIEW = { nameLength: 200, layers: 128, hiddenNets: 100 }
const boardName = Type.String({ minLength: 1, maxLength: BOARD_VIEW.nameLength })

export const viewer3dBoardState = Type.Object(
  {
    path: Type.Optional({ ...path, description: 'A `.kicad_pcb` file of the workspace.' }),
    selected: Type.Optional({
      ...boardName,
      description:
        'The reference of the component that stands out, such as `U3`. A person who picks one sets it too.',
    }),
    net: Type.Optional({ ...boardName, description: 'The name of the net that stands out, such as `GND`.' }),
    layers: Type.Optional(
      Type.Array(boardName, {
        maxItems: BOARD_VIEW.layers,
        uniqueItems: true,
        description:
          'The layers that are shown, such as `F.Cu`, with `body` for the board itself and `components`; without it, those that a finished board shows.',
      }),
    ),
    hiddenNets: Type.Optional(
      Type.Array(boardName, {
        maxItems: BOARD_VIEW.hiddenNets,
        uniqueItems: true,
        description: 'Nets whose copper is not shown.',
      }),
    ),
    section: Type.Optional(section),
    compare: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'A revision of the files of the workspace: what of the board was not there then is green, and what is gone is red.',
      }),
    ),
    sideBySide: Type.Optional(
      Type.Boolean({
        description:
          'With `compare`: that version stands beside the board as it is now, both seen from one place.',
      }),
    ),
  },
  STRICT,
)
export type Viewer3dBoardState = Static<typeof viewer3dBoardState>

export const schematicEditorState = Type.Object(
  {
    path: Type.Optional({
      ...path,
      description: 'The schematic that is open, a `.kicad_sch` file of the workspace.',
    }),
    sheet: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description:
          'The sheet that is shown, by the names of the sheets that lead to it: `/` or `/amplifier/left/`.',
      }),
    ),
  },
  STRICT,
)
export type SchematicEditorState = Static<typeof schematicEditorState>

export const STREAM_KINDS = ['auto', 'hls', 'mjpeg', 'video'] as const
const fit = Type.Optional(
  Type.Enum(['contain', 'cover'], {
    description: 'Whether all of the picture is shown, or it fills the panel. `contain` unless set.',
  }),
)

export const liveStreamState = Type.Object(
  {
    url: Type.Optional({
      ...webAddress,
      description:
        'Of the stream. The browsers of all who look play it from there, as far as the operator allows its origin.',
    }),
    kind: Type.Optional(
      Type.Enum([...STREAM_KINDS], {
        description: 'What is there; `auto`, which it is unless set, tells it by the address and its answer.',
      }),
    ),
    fit,
  },
  STRICT,
)
export type LiveStreamState = Static<typeof liveStreamState>

export const webrtcPlayerState = Type.Object(
  {
    url: Type.Optional({ ...webAddress, description: 'Of a WHEP endpoint, as for a live stream.' }),
    fit,
  },
  STRICT,
)
export type WebrtcPlayerState = Static<typeof webrtcPlayerState>

const share = Type.Number({ minimum: 0, maximum: 1 })
const degrees = (maximum: number) => Type.Number({ minimum: 1, maximum })

export const zoomCameraState = Type.Object(
  {
    wideUrl: Type.Optional({ ...webAddress, description: 'Of the WHEP endpoint of the wide picture.' }),
    nearUrl: Type.Optional({
      ...webAddress,
      description: 'Of the near one; without it, a part of the wide picture is shown larger.',
    }),
    device: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$',
        description: 'The device that aims the camera, with channels `pan`, `tilt` and `zoom`.',
      }),
    ),
    view: Type.Optional(
      Type.Object(
        { width: degrees(360), height: degrees(180) },
        { ...STRICT, description: 'How much the wide picture shows, in degrees. 60 × 34 unless set.' },
      ),
    ),
    region: Type.Optional(
      Type.Object(
        { x: share, y: share, width: share, height: share },
        {
          ...STRICT,
          description:
            'What is looked at: the left upper corner and the size, in shares of the wide picture. It aims nothing by itself; devices have commands for that.',
        },
      ),
    ),
  },
  STRICT,
)
export type ZoomCameraState = Static<typeof zoomCameraState>

export const SYSTEM_LOG_FILTERS = ['all', 'agents', 'console', 'problems'] as const
export const systemLogState = Type.Object(
  { filter: Type.Optional(Type.Enum([...SYSTEM_LOG_FILTERS])) },
  STRICT,
)
export type SystemLogState = Static<typeof systemLogState>

const CHANNEL_ADDRESS = '^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?/[A-Za-z0-9_][A-Za-z0-9_.-]{0,47}$'

function bindingOf({ title, isSeveral }: DevicePanelRole) {
  const channel = Type.String({
    pattern: CHANNEL_ADDRESS,
    ...(isSeveral === undefined && {
      description: `${title}: the device and its channel, such as \`servo/angle\`.`,
    }),
  })
  return Type.Optional(
    isSeveral === undefined
      ? channel
      : Type.Array(channel, {
          maxItems: MOST_BOUND,
          uniqueItems: true,
          description: `${title}: devices and their channels, such as \`servo/angle\`.`,
        }),
  )
}

/** What panels of devices keep: which channels they show. */
const DEVICE_PANEL_STATES: Readonly<Record<string, TObject>> = Object.fromEntries(
  Object.entries<DevicePanelRoles>(DEVICE_PANELS).map(([kind, roles]) => [
    kind,
    Type.Object(
      {
        bindings: Type.Optional(
          Type.Object(
            Object.fromEntries(Object.entries(roles).map(([name, role]) => [name, bindingOf(role)])),
            {
              additionalProperties: false,
              description: 'The channels of devices that the panel shows and commands.',
            },
          ),
        ),
      },
      { additionalProperties: false },
    ),
  ]),
)

/** What panels of each kind can show. The others have nothing to remember. */
export const PANEL_STATES: Readonly<Record<string, TSchema>> = {
  webview: webviewState,
  sandbox: sandboxState,
  'code-editor': codeEditorState,
  'script-runner': scriptRunnerState,
  curriculum: curriculumState,
  'schematic-editor': schematicEditorState,
  'viewer-3d': viewer3dState,
  'viewer-3d-board': viewer3dBoardState,
  'live-stream': liveStreamState,
  'webrtc-player': webrtcPlayerState,
  'zoom-camera': zoomCameraState,
  'system-log': systemLogState,
  ...DEVICE_PANEL_STATES,
}
