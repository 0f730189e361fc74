import { Type } from 'typebox'
import { endpoint } from '../core/endpoint.ts'
import { WEB_ADDRESS, WEBVIEW_ADDRESS } from './actions.ts'
import { uuid } from './catalog.ts'
import { workspaceChangeRefusals, workspaceParams, workspaceRefusals } from './workspaces.ts'

export const postProxyTicket = endpoint({
  method: 'POST',
  path: '/api/workspaces/editor/{owner}/{repo}/current/tabs/{tabId}/proxy-ticket',
  name: 'openProxy',
  summary: 'For the workspace page: lets one web view load pages from the isolated origin for an hour',
  tag: 'Panels',
  params: Type.Object({ ...workspaceParams.properties, tabId: uuid }),
  body: Type.Object(
    {
      url: Type.Optional(
        Type.String({
          pattern: WEBVIEW_ADDRESS,
          maxLength: 2048,
          description:
            'Where the person, or a script, navigated to. Its host is the only one inside the network of the installation that the ticket shows, if the operator opened that network. With a file of the workspace, the ticket shows files of the workspace and no page of the web; who may read them may ask for it.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  bodyIsOptional: true,
  responses: {
    200: Type.Object({
      address: Type.String({
        description:
          'On another origin. What is to be shown is appended, percent-encoded: an address, or the path of a file.',
      }),
      origin: Type.String({
        description: 'Of the frame that messages about navigation come from is `null`; this one serves it.',
      }),
      expiresAt: Type.String({ format: 'date-time' }),
    }),
  },
  problems: [
    ...workspaceChangeRefusals,
    'browser_session_required',
    'panel_not_found',
    'proxy_not_available',
  ],
})

export const getModel = endpoint({
  method: 'GET',
  path: '/api/workspaces/editor/{owner}/{repo}/models',
  name: 'fetchModel',
  summary: 'For the 3D viewer: a glTF model from the web, of at most 64 MiB',
  tag: 'Panels',
  params: workspaceParams,
  query: Type.Object({ url: Type.String({ pattern: WEB_ADDRESS }) }, { additionalProperties: false }),
  responses: { 200: { mediaType: 'application/octet-stream', description: 'The file.' } },
  problems: [...workspaceRefusals, 'source_refused', 'source_unavailable'],
})
