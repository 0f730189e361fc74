import type { EndpointSpec } from '../core/endpoint.ts'
import { getWorkspaceAccess, putWorkspaceAccess } from './access.ts'
import { getSandboxEval, patchSandbox, patchWebview } from './actions.ts'
import { deleteCatalogPanel, getPanelCatalog, postCatalogPanel } from './catalog.ts'
import { getCourseProgress, patchCourseProgress } from './courses.ts'
import {
  deleteWorkspaceInvitation,
  deleteWorkspaceMember,
  getSharedWorkspaces,
  getWorkspaceInvitations,
  getWorkspaceMembers,
  postInvitationJoin,
  postInvitationLook,
  postWorkspaceInvitation,
  putWorkspaceMember,
} from './members.ts'
import { getModel, postProxyTicket } from './proxied-pages.ts'
import { getScreenshot, patchScreenshot, putCapture } from './screenshots.ts'
import { deleteTrashedWorkspace, getTrash, postRestoreWorkspace } from './trash.ts'
import {
  deleteTab,
  deleteWorkspace,
  getClosedTabs,
  getCurrentWorkspace,
  getWorkspaces,
  patchSplit,
  patchTab,
  postReopenTab,
  postSplit,
  postTab,
  putCurrentWorkspace,
  putWorkspace,
} from './workspaces.ts'

/** Workspaces and their panels, in the order of the reference. */
export const PANELS_ENDPOINTS: readonly EndpointSpec[] = [
  getPanelCatalog,
  postCatalogPanel,
  deleteCatalogPanel,
  getWorkspaces,
  putWorkspace,
  deleteWorkspace,
  getTrash,
  postRestoreWorkspace,
  deleteTrashedWorkspace,
  getCurrentWorkspace,
  putCurrentWorkspace,
  postTab,
  postSplit,
  patchTab,
  deleteTab,
  getClosedTabs,
  postReopenTab,
  patchSplit,
  getWorkspaceAccess,
  putWorkspaceAccess,
  getWorkspaceMembers,
  putWorkspaceMember,
  deleteWorkspaceMember,
  getWorkspaceInvitations,
  postWorkspaceInvitation,
  deleteWorkspaceInvitation,
  postInvitationLook,
  postInvitationJoin,
  getSharedWorkspaces,
  patchWebview,
  patchSandbox,
  getSandboxEval,
  patchScreenshot,
  putCapture,
  getScreenshot,
  postProxyTicket,
  getModel,
  getCourseProgress,
  patchCourseProgress,
]
