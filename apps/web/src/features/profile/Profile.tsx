import { type User, useSaveUser, useSession } from '@countersign/react'
import { useDeleteUser, useExportAccount } from '@countersign/react/account'
import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { expectedSignOut, findSessionUser } from '../../account/session.ts'
import { StepUpDialog } from '../../account/signIn/StepUpDialog.tsx'
import { needsStepUp, useConfirmation } from '../../account/signIn/useConfirmation.ts'
import { useConfig } from '../../config/config.ts'
import { serverClock } from '../../config/serverClock.ts'
import { followLanguage } from '../../i18n/followLanguage.ts'
import { formatDate } from '../../i18n/format.ts'
import { isLanguage, language, languages } from '../../i18n/languages.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { downloadText } from '../../ui/downloadText.ts'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError } from '../../ui/forms/describeError.ts'
import { SelectField } from '../../ui/forms/Field.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ThemeToggle } from '../../ui/ThemeToggle.tsx'
import { ProfileForm } from './ProfileForm.tsx'

export function Profile() {
  const user = findSessionUser(useSession())
  if (!user) return null
  return (
    <>
      <PageHeader title={t('Profile')}>{t('Your details, preferences and account data.')}</PageHeader>
      <ProfileForm user={user} />
      <div className="mt-6 flex flex-col gap-6">
        <PreferencesCard user={user} />
        <Card aria-labelledby="account-data">
          <CardHeader id="account-data" title={t('Account data')} />
          <div className="divide-y divide-line *:py-5 *:first:pt-0 *:last:pb-0">
            <ExportData />
            <DeleteAccount user={user} />
          </div>
        </Card>
      </div>
    </>
  )
}

/** Another language renders everything again; the user who has just chosen one stays where they were. */
let wasChosen = false

/** Preferences. The language belongs to the account, the theme to this browser. */
function PreferencesCard({ user }: { user: User }) {
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
          void followLanguage().then(() => toasts.add(t('Language saved.'), 'ok'))
        },
        onError: (error) => toasts.add(describeError(error).message, 'danger'),
      },
    )
  }
  return (
    <Card aria-labelledby="preferences">
      <CardHeader id="preferences" title={t('Preferences')} />
      <div className="grid gap-6 sm:grid-cols-2">
        <SelectField
          ref={select}
          label={t('Language')}
          hint={t('Saved to your account.')}
          value={isLanguage(user.language) ? user.language : ''}
          aria-busy={status === 'pending'}
          options={[['', t('Browser default')], ...Object.entries(languages)]}
          onChange={choose}
        />
        <div>
          <p className="mb-1.5 text-sm font-semibold">{t('Theme')}</p>
          <ThemeToggle name="theme-preference" />
          <p className="mt-1.5 text-xs text-muted">{t('Saved in this browser only.')}</p>
        </div>
      </div>
    </Card>
  )
}

/** Export of all data about the person. */
function ExportData() {
  const { exportAccount, status } = useExportAccount()
  const { ask, dialog } = useConfirmation()
  const [problem, setProblem] = useState<string>()
  const save = () => {
    setProblem(undefined)
    void exportAccount({
      onSuccess: (data) => {
        downloadText('my-data.json', 'application/json', `${JSON.stringify(data, null, 2)}\n`)
        toasts.add(t('Your data was saved as {file}.', { file: 'my-data.json' }), 'ok')
      },
      onError: (error) => (needsStepUp(error) ? ask(save) : setProblem(describeError(error).message)),
    })
  }
  return (
    <section aria-labelledby="export">
      <CardHeader
        level="h3"
        id="export"
        title={t('Export my data')}
        aside={
          <Button look="secondary" pending={status === 'pending'} onClick={save}>
            <Download size={18} aria-hidden="true" /> {t('Save as file')}
          </Button>
        }
      >
        {t(
          'Your profile, sign-in methods, sessions, activity and other data in one JSON file. Excludes passwords and keys.',
        )}
      </CardHeader>
      {problem && <Alert tone="danger" title={problem} />}
      <StepUpDialog {...dialog} />
    </section>
  )
}

const day = 24 * 3600

function DeleteAccount({ user }: { user: User }) {
  const [open, setOpen] = useState(false)
  const [error, setError] = useState<string>()
  const { deleteUser, status } = useDeleteUser()
  const { accountDeletionGrace: grace } = useConfig()
  const { ask, dialog } = useConfirmation()

  const remove = () => {
    setError(undefined)
    expectedSignOut.begin()
    void deleteUser({
      onSuccess: () => toasts.add(describeEnd(grace), 'ok'),
      onError: (refusal) => {
        expectedSignOut.end()
        if (!needsStepUp(refusal)) return setError(describeError(refusal).message)
        setOpen(false)
        ask(remove)
      },
    })
  }

  return (
    <section aria-labelledby="delete-account">
      <CardHeader
        level="h3"
        id="delete-account"
        title={t('Delete account')}
        aside={
          <Button look="danger-quiet" onClick={() => setOpen(true)}>
            {t('Delete account…')}
          </Button>
        }
      >
        {describeDeletion(grace) ?? t('Deletes your profile, sign-in methods and sessions. This can’t be undone.')}
      </CardHeader>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={t('Delete your account?')}
        description={
          describeDeletion(grace) ??
          t('This immediately and permanently deletes your profile, sign-in methods and sessions.')
        }
        confirm={grace > 0 ? t('Delete account') : t('Delete permanently')}
        danger
        typed={user.username}
        pending={status === 'pending'}
        error={error}
        onConfirm={remove}
      />
      <StepUpDialog {...dialog} />
    </section>
  )
}

/** Describes a deletion that can be undone for a while. */
function describeDeletion(grace: number): string | undefined {
  if (grace === 0) return undefined
  const count = Math.max(1, Math.floor(grace / day))
  return t(
    'Your account is hidden immediately and every device is signed out. You have {count, plural, one {# day} other {# days}} to restore it by signing in. After that, it’s deleted permanently.',
    { count },
  )
}

function describeEnd(grace: number): string {
  if (grace === 0) return t('Your account has been deleted.')
  const date = formatDate(new Date(serverClock.now() + grace * 1000))
  return t('Your account will be deleted on {date}. Sign in before then to restore it.', { date })
}
