import { CopyField } from '../../components/copy-field.tsx'

/** How a new key is used, as lines to copy: afterwards nobody can put them together here. */
export function KeyUses({ apiKey }: { apiKey: string }) {
  return (
    <>
      <CopyField
        label="For the patchbay command, in a shell or a build"
        value={`export PATCHBAY_SERVER_URL=${location.origin} PATCHBAY_API_KEY=${apiKey}`}
      />
      <CopyField label="For other programs, as a header of every request" value={`X-Api-Key: ${apiKey}`} />
    </>
  )
}
