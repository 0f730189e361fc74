import type { LiveCheck, LiveKind, LiveTarget } from './live-check.ts'
import type { FindingList } from './report.ts'

/** What servers send that keep no list of types, besides the right one. */
const TYPES: Readonly<Record<LiveKind, RegExp>> = {
  repository: /^(application\/(json|octet-stream)|text\/plain)\b/i,
  packages: /^(application\/(json|octet-stream)|text\/plain)\b/i,
  manifests: /^(application\/(json|octet-stream)|text\/plain)\b/i,
  manifest: /^(application\/(json|octet-stream)|text\/plain)\b/i,
  resources: /^application\/(zip|x-zip-compressed|octet-stream)\b/i,
  archive: /^application\/(zip|x-zip-compressed|octet-stream)\b/i,
}

/** What one check says about the repository. */
export function judge(check: LiveCheck, target: LiveTarget, found: FindingList): void {
  const { subject, kind, failure, contentType, redirects, url } = check
  if (failure !== undefined) found.error(failure.code, subject, failure.message)
  if (failure !== undefined && check.sha256 === undefined) return
  if (kind !== 'repository' && target.sha256 === undefined) {
    found.warn(
      'no_hash',
      subject,
      'the repository gives no sha256; nobody can tell whether it is the right file',
    )
  }
  if (kind === 'archive' && target.size === undefined) {
    found.warn(
      'no_size',
      subject,
      'the list gives no download_size; clients cannot show how far a download is',
    )
  }
  if (!url.startsWith('http')) return
  if (contentType !== undefined && !TYPES[kind].test(contentType)) {
    found.warn('content_type', subject, `is sent as ${contentType}`)
  }
  if (redirects > 0)
    found.warn('redirected', subject, `${redirects} redirects; give the address that they lead to`)
  // These never change: nobody asks for one a second time.
  if (kind === 'archive' || kind === 'manifest') return
  if (!check.hasValidator) {
    found.warn('no_validator', subject, 'has neither ETag nor Last-Modified; every refresh sends all of it')
  } else if (check.answersNotModified === false) {
    found.warn(
      'not_modified_unsupported',
      subject,
      'the server never says "not modified"; every refresh sends all of it',
    )
  }
}
