import { type User, useSaveUser } from '@countersign/react'
import { useEffect, useRef } from 'react'
import { describeError } from '../lib/describeError.ts'
import { followLanguage } from '../lib/followLanguage.ts'
import { language } from '../lib/language.ts'
import { isLanguage, languages } from '../lib/languages.ts'
import { say } from '../lib/say.ts'
import { toasts } from '../lib/toasts.ts'
import { Card } from './Card.tsx'
import { CardHeader } from './CardHeader.tsx'
import { SelectField } from './SelectField.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'

/** Another language draws everything anew; whoever has just chosen one finds themselves where they were. */
let wasChosen = false

/** How things look and sound. The language goes with the account, the theme stays with this browser. */
export function PreferencesCard({ user }: { user: User }) {
  const { saveUser, status } = useSaveUser()
  const select = useRef<HTMLSelectElement>(null)
  useEffect(() => {
    if (wasChosen) select.current?.focus()
    wasChosen = false
  }, [])
  const choose = (value: string) => {
    const next = isLanguage(value) ? value : undefined
    void saveUser(
      { language: next ?? { __op: 'Delete' } },
      {
        onSuccess: () => {
          wasChosen = document.activeElement === select.current
          language.set(next)
          // Said in the language that was chosen.
          void followLanguage().then(() => toasts.add(say('Your language is saved.'), 'ok'))
        },
        onError: (error) => toasts.add(describeError(error).message, 'danger'),
      },
    )
  }
  return (
    <Card aria-labelledby="preferences">
      <CardHeader id="preferences" title={say('Preferences')} />
      <div className="grid gap-6 sm:grid-cols-2">
        <SelectField
          ref={select}
          label={say('Language')}
          hint={say('It goes with your account.')}
          value={isLanguage(user.language) ? user.language : ''}
          aria-busy={status === 'pending'}
          options={[['', say('As this browser')], ...Object.entries(languages)]}
          onChange={choose}
        />
        <div>
          <p className="mb-1.5 text-sm font-semibold">{say('Theme')}</p>
          <ThemeToggle name="theme-preference" />
          <p className="mt-1.5 text-xs text-muted">{say('It stays in this browser.')}</p>
        </div>
      </div>
    </Card>
  )
}
