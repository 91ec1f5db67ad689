import { type User, useSaveUser } from '@countersign/react'
import { useRequestEmailVerification } from '@countersign/react/account'
import { Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { AvatarField } from '../../account/AvatarField.tsx'
import { NameOffers } from '../../account/NameOffers.tsx'
import { OutboxNotice } from '../../account/OutboxNotice.tsx'
import { nameField, type Profile, type ProfileField, readProfile } from '../../account/profile.ts'
import { StepUpDialog } from '../../account/signIn/StepUpDialog.tsx'
import { needsStepUp, useConfirmation } from '../../account/signIn/useConfirmation.ts'
import { VerificationBadge } from '../../account/VerificationBadge.tsx'
import { useConfig } from '../../config/config.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError } from '../../ui/forms/describeError.ts'
import { TextField, UsernameField } from '../../ui/forms/Field.tsx'
import { Form, FormProblemAlert, problemOf, useFormProblem } from '../../ui/forms/Form.tsx'
import { useKeepFocus } from '../../ui/useKeepFocus.ts'
import { FieldRow } from './FieldRow.tsx'
import { checkProfile, diffProfile, profileDrafts } from './profileDraft.ts'

/** Form for all editable fields of the person. */
export function ProfileForm({ user }: { user: User }) {
  const { verifyUserEmails } = useConfig()
  const { saveUser, status } = useSaveUser()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()
  // No draft: the form shows what is saved. A refused draft stays, so that nothing has to be typed again.
  const [draft, setDraftState] = useState(() => profileDrafts.get(user.objectId))
  const { ask, dialog } = useConfirmation()

  const shown = draft ?? readProfile(user)
  const changes = draft ? diffProfile(user, draft) : {}
  const dirty = Object.keys(changes).length > 0
  const pending = status === 'pending'
  useBeforeUnload(dirty)
  useKeepFocus(dirty ? 1 : 0)
  useKeepFocus(shown.fields.length)

  const setDraft = (next: Profile | undefined) => {
    if (next) profileDrafts.set(user.objectId, next)
    else profileDrafts.delete(user.objectId)
    setDraftState(next)
  }
  const edit = (part: Partial<Profile>) => setDraft({ ...shown, ...part })
  const editField = (field: ProfileField) =>
    edit({ fields: shown.fields.map((other) => (other.key === field.key ? field : other)) })
  const focusOn = (selector: string) => formRef.current?.querySelector<HTMLElement>(selector)?.focus()
  const addField = () => {
    const key = `new-${Date.now()}`
    edit({ fields: [...shown.fields, { key, name: '', type: 'text', value: '', isNew: true }] })
    requestAnimationFrame(() => focusOn(`[name="${key}.name"]`))
  }
  const discard = () => {
    setDraft(undefined)
    setProblem(undefined)
  }

  const save = () => {
    if (!dirty || pending) return
    const fields = checkProfile(shown)
    if (Object.keys(fields).length > 0) return setProblem({ fields })
    setProblem(undefined)
    void saveUser(changes, {
      onSuccess: () => {
        // Text typed during the save stays a draft.
        if (profileDrafts.get(user.objectId) === draft) setDraft(undefined)
        toasts.add(t('Profile saved.'), 'ok')
      },
      onError: (error) => {
        if (needsStepUp(error)) return ask(save)
        setProblem(problemOf(error))
      },
    })
  }

  return (
    <>
      <Form formRef={formRef} onSubmit={save} label={t('Profile')} className="gap-6">
        <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
        <Card aria-labelledby="identity">
          <CardHeader id="identity" title={t('About you')} />
          <div className="flex flex-col gap-5">
            <AvatarField user={user} />
            <UsernameField
              value={shown.username}
              error={errors.username}
              onChange={(event) => edit({ username: event.target.value })}
            />
            <TextField
              label={t('Email')}
              name="email"
              type="email"
              autoComplete="email"
              value={shown.email}
              error={errors.email}
              aside={shown.email === user.email && <VerificationBadge user={user} />}
              onChange={(event) => edit({ email: event.target.value.trim() })}
            />
            {verifyUserEmails && user.email && !user.emailVerified && shown.email === user.email && (
              <ResendVerification email={user.email} />
            )}
            <NameOffers user={user} onStepUp={ask} onTaken={(username) => draft && setDraft({ ...draft, username })} />
          </div>
        </Card>
        <Card aria-labelledby="fields">
          <CardHeader
            id="fields"
            title={t('Custom fields')}
            aside={
              <Button look="secondary" onClick={addField}>
                <Plus size={18} aria-hidden="true" /> {t('Add field')}
              </Button>
            }
          >
            {t('Extra details stored with your account.')}
          </CardHeader>
          {shown.fields.length + shown.fixed.length === 0 && (
            <p className="rounded-control bg-sunken p-4 text-sm text-muted">
              {t('No custom fields yet. Add your first one.')}
            </p>
          )}
          <ul className="-my-4 divide-y divide-line empty:hidden">
            {shown.fields.map((field) => (
              <FieldRow
                key={field.key}
                field={field}
                errors={errors}
                onChange={editField}
                onRemove={() => edit({ fields: shown.fields.filter(({ key }) => key !== field.key) })}
              />
            ))}
            {shown.fixed.map((field) => (
              <FixedRow key={field.name} field={field} />
            ))}
          </ul>
        </Card>
        <SaveBar dirty={dirty} pending={pending} disabled={secondsLeft > 0} onDiscard={discard} />
      </Form>
      <StepUpDialog {...dialog} />
    </>
  )
}

/** A field of a kind that the form cannot edit. */
function FixedRow({ field: { name, text, items } }: { field: Profile['fixed'][number] }) {
  return (
    <li className="py-4">
      <p className="flex flex-wrap items-center gap-2 text-sm font-semibold">
        {nameField(name)} <Badge>{t('Read-only')}</Badge>
      </p>
      {items ? (
        <ul className="mt-2 flex flex-wrap gap-1.5">
          {items.map((item, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items may be equal; their order stays
            <li key={place} className="max-w-full rounded-full bg-sunken px-3 py-1 text-sm wrap-anywhere">
              {item}
            </li>
          ))}
        </ul>
      ) : (
        <p dir="ltr" className="mt-1 font-mono text-xs break-all text-muted">
          {text}
        </p>
      )}
    </li>
  )
}

type Props = { dirty: boolean; pending: boolean; disabled?: boolean; onDiscard: () => void }

/** Stays in sight while something is unsaved. */
function SaveBar({ dirty, pending, disabled, onDiscard }: Props) {
  return (
    <div
      data-unsaved={dirty || undefined}
      className={
        dirty
          ? 'sticky bottom-20 z-20 flex animate-appear flex-wrap items-center justify-between gap-3 rounded-card border border-line bg-surface p-3 ps-5 shadow-float md:bottom-4'
          : 'sr-only'
      }
    >
      <p role="status" className="text-sm font-semibold">
        {dirty ? t('You have unsaved changes.') : ''}
      </p>
      {dirty && (
        <div className="flex flex-1 justify-end gap-2">
          <Button look="ghost" onClick={onDiscard} disabled={pending}>
            {t('Discard')}
          </Button>
          <Button type="submit" pending={pending} disabled={disabled}>
            {t('Save changes')}
          </Button>
        </div>
      )}
    </div>
  )
}

function ResendVerification({ email }: { email: string }) {
  const { requestEmailVerification, status } = useRequestEmailVerification()
  const send = () =>
    void requestEmailVerification(
      { email },
      {
        onSuccess: () => toasts.add(t('We sent a new link to {email}.', { email }), 'ok'),
        onError: (error) => toasts.add(describeError(error).message, 'danger'),
      },
    )
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3 rounded-control bg-warn-soft p-3.5 text-sm">
        <p className="min-w-0 flex-1 basis-56">{t('We sent a link to this address. Open it to verify your email.')}</p>
        <Button look="secondary" pending={status === 'pending'} onClick={send}>
          {t('Resend email')}
        </Button>
      </div>
      {status === 'success' && <OutboxNotice />}
    </div>
  )
}

/** Lets the browser ask before the page is closed, while `when` holds. */
function useBeforeUnload(when: boolean): void {
  useEffect(() => {
    if (!when) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [when])
}
