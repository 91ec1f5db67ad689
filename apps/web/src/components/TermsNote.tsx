import { say } from '../lib/say.ts'
import { useConfig } from '../lib/useConfig.ts'
import { OutLink } from './OutLink.tsx'
import { Phrase } from './Phrase.tsx'

/** What one agrees to with an account, where whoever runs this has written it down. */
export function TermsNote() {
  const { termsUrl, privacyUrl } = useConfig().brand
  if (!termsUrl && !privacyUrl) return null
  return (
    <p className="text-xs text-muted">
      {termsUrl && (
        <>
          <Phrase
            text="With an account you agree to the {terms}."
            values={{ terms: <OutLink href={termsUrl} label={say('terms')} /> }}
          />{' '}
        </>
      )}
      {privacyUrl && (
        <Phrase
          text="Read {how}."
          values={{ how: <OutLink href={privacyUrl} label={say('how your data is kept')} /> }}
        />
      )}
    </p>
  )
}
