import { useConfig } from '../lib/useConfig.ts'
import { OutLink } from './OutLink.tsx'

/** What one agrees to with an account, where whoever runs this has written it down. */
export function TermsNote() {
  const { termsUrl, privacyUrl } = useConfig().brand
  if (!termsUrl && !privacyUrl) return null
  return (
    <p className="text-xs text-muted">
      {termsUrl && (
        <>
          With an account you agree to the <OutLink href={termsUrl} label="terms" />.{' '}
        </>
      )}
      {privacyUrl && (
        <>
          Read <OutLink href={privacyUrl} label="how your data is kept" />.
        </>
      )}
    </p>
  )
}
