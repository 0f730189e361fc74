import { type Static, Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { shownText } from '../core/handles.ts'
import { paste, pasteCursor } from './pastes.ts'

/** What an agent can open in a viewer page, by the path it is served at. */
export const WIDGETS = { 'screenshot-paste': '/screenshot-paste' } as const
export type WidgetName = keyof typeof WIDGETS

export const SCREENSHOT_PASTE_PATH = WIDGETS['screenshot-paste']
/** The element of the served page that carries its nonce; the text stands in the built file and is replaced on each answer. */
export const UPLOAD_NONCE_META = 'patchbay-upload-nonce'
export const UPLOAD_NONCE_PLACEHOLDER = 'put-the-nonce-here'

export const widgetTitle = shownText(200, 'What the picture is for, shown above the widget.')

export const getViewerPage = endpoint({
  method: 'GET',
  path: '/',
  name: 'getViewerPage',
  summary: 'The viewer page, in which agents open widgets',
  tag: 'Viewer',
  responses: { 200: { mediaType: 'text/html', description: 'The page' } },
})

export const getScreenshotPaste = endpoint({
  method: 'GET',
  path: '/screenshot-paste',
  name: 'getScreenshotPaste',
  summary: 'The screenshot-paste widget, served afresh each time',
  description: 'Never cached: each answer carries a nonce of its own, which is worth one upload grant.',
  tag: 'Viewer',
  query: Type.Object({ title: Type.Optional(Type.String({ maxLength: 200 })) }),
  responses: { 200: { mediaType: 'text/html', description: 'The widget' } },
})

const openPages = Type.Object({
  pages: Type.Integer({ description: 'Open viewer pages, with whatever widget.' }),
  active: Type.Boolean({ description: 'Whether one of them can show a widget now.' }),
})

export const viewerStatus = Type.Object({
  version: Type.String(),
  project: Type.String({ description: 'The folder with the project’s content.' }),
  folder: Type.String({ description: 'Where pastes are kept.' }),
  url: Type.String({ description: 'Where a person opens the viewer page.' }),
  workspace: Type.Optional(Type.String({ description: 'The workspace that has the pastes as well.' })),
  naming: Type.Enum(['model', 'text', 'off'], { description: 'Who looks for names.' }),
  cursor: pasteCursor('For `GET /api/next-paste`: whatever comes from now on.'),
  ...openPages.properties,
})
export type ViewerStatus = Static<typeof viewerStatus>

export const getViewerStatus = endpoint({
  method: 'GET',
  path: '/api/viewer',
  name: 'getViewerStatus',
  summary: 'Which project this viewer is for, and whether a page of it is open',
  tag: 'Viewer',
  responses: { 200: viewerStatus },
})

export const postShowWidget = endpoint({
  method: 'POST',
  path: '/api/viewer/show',
  name: 'postShowWidget',
  summary: 'Open a widget in the active viewer page',
  description:
    'The active page is the one that was focused last. Answers once that page has said that the widget is there.',
  tag: 'Viewer',
  body: Type.Object(
    { widget: Type.Enum(Object.keys(WIDGETS) as WidgetName[]), title: Type.Optional(widgetTitle) },
    { additionalProperties: false },
  ),
  responses: {
    200: Type.Object({
      widget: Type.String(),
      cursor: pasteCursor('For `GET /api/next-paste`.'),
    }),
  },
  problems: ['viewer_not_open', 'viewer_silent', 'too_many_waiting', 'origin_not_allowed', 'shutting_down'],
})

/** Where every page of the viewer holds one connection. */
export const VIEWER_SOCKET_PATH = '/api/viewer/socket'

const STRICT = { additionalProperties: false } as const
const pageId = Type.String({ format: 'uuid' })
const showing = Type.Union([Type.Enum(Object.keys(WIDGETS) as WidgetName[]), Type.Null()])

/** What a page says. */
export const viewerPageMessage = Type.Union([
  Type.Object(
    { type: Type.Literal('open'), pageId, showing, isVisible: Type.Boolean(), isFocused: Type.Boolean() },
    {
      ...STRICT,
      title: 'open',
      description:
        'First, and once. `pageId` stays the same in one tab, also when the tab shows another widget.',
    },
  ),
  Type.Object(
    { type: Type.Literal('attention'), isVisible: Type.Boolean(), isFocused: Type.Boolean() },
    { ...STRICT, title: 'attention', description: 'The page came to the front, got or lost the focus.' },
  ),
  Type.Object(
    { type: Type.Literal('shown'), id: Type.String({ maxLength: 64 }) },
    { ...STRICT, title: 'shown', description: 'The widget that was asked for is there.' },
  ),
])
export type ViewerPageMessage = Static<typeof viewerPageMessage>

/** What the viewer says to its pages. */
export const viewerMessage = Type.Union([
  Type.Object(
    {
      type: Type.Literal('show'),
      id: Type.String(),
      widget: Type.Enum(Object.keys(WIDGETS) as WidgetName[]),
      title: Type.Union([Type.String(), Type.Null()]),
    },
    {
      title: 'show',
      description:
        'Open this widget. A page that must load it says `shown` from the page that was loaded, with the same `pageId`.',
    },
  ),
  Type.Object(
    { type: Type.Literal('active'), isActive: Type.Boolean() },
    { title: 'active', description: 'Whether agents open widgets in this page now.' },
  ),
  Type.Object(
    { type: Type.Literal('paste'), paste },
    { title: 'paste', description: 'A paste is new or changed.' },
  ),
  Type.Object(
    { type: Type.Literal('deleted'), id: Type.String({ format: 'uuid' }) },
    { title: 'deleted', description: 'A paste was deleted.' },
  ),
])
export type ViewerMessage = Static<typeof viewerMessage>
