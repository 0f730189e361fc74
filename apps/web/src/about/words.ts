/** What the dialog about the installation says. */
export const words = {
  open: 'Status',
  title: 'System status',
  checking: 'Checking the server',
  online: 'The server is online',
  product: 'Product',
  version: 'Version',
  node: 'Node',
  installed: 'Installed',
  installationId: 'Installation ID',
  refresh: 'Refresh',
}
