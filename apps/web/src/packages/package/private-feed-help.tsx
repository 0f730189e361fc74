import { Link } from '../../components/link.tsx'

/** How a feed is read that is not for everybody. */
export function PrivateFeedHelp({ owner }: { owner: string }) {
  return (
    <>
      It needs an API key: programs send one with the scope <code>{`packages:${owner}/*`}</code> in the header{' '}
      <code>X-Api-Key</code>. Whoever may publish for {owner} makes it under{' '}
      <Link href="/account#api-keys">API keys</Link>. A design tool that cannot send a header cannot read this
      address: use the command, after <code>patchbay login</code>.
    </>
  )
}
