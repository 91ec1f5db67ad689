import { type User, useSaveUser } from '@countersign/react'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { checkProfile } from '../lib/checkProfile.ts'
import { diffProfile } from '../lib/diffProfile.ts'
import { needsStepUp } from '../lib/needsStepUp.ts'
import { problemOf } from '../lib/problemOf.ts'
import type { Profile, ProfileField } from '../lib/profile.ts'
import { profileDrafts } from '../lib/profileDrafts.ts'
import { readProfile } from '../lib/readProfile.ts'
import { say } from '../lib/say.ts'
import { toasts } from '../lib/toasts.ts'
import { useBeforeUnload } from '../lib/useBeforeUnload.ts'
import { useConfig } from '../lib/useConfig.ts'
import { useConfirmation } from '../lib/useConfirmation.ts'
import { type FormProblem, useFormProblem } from '../lib/useFormProblem.ts'
import { useKeepFocus } from '../lib/useKeepFocus.ts'
import { AvatarField } from './AvatarField.tsx'
import { Button } from './Button.tsx'
import { Card } from './Card.tsx'
import { CardHeader } from './CardHeader.tsx'
import { FieldRow } from './FieldRow.tsx'
import { Form } from './Form.tsx'
import { FormProblemAlert } from './FormProblemAlert.tsx'
import { NameOffers } from './NameOffers.tsx'
import { ResendVerification } from './ResendVerification.tsx'
import { SaveBar } from './SaveBar.tsx'
import { StepUpDialog } from './StepUpDialog.tsx'
import { TextField } from './TextField.tsx'
import { VerificationBadge } from './VerificationBadge.tsx'

/** Everything that a person may change about their record, and its saving. */
export function ProfileForm({ user }: { user: User }) {
  const { verifyUserEmails } = useConfig()
  const { saveUser, status } = useSaveUser()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()
  // No draft: the form shows what is saved, so that reverting is forgetting the draft.
  const [draft, setDraftState] = useState(() => profileDrafts.get(user.objectId))
  const [refused, setRefused] = useState<Profile>()
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
  const focusOn = (selector: string) => {
    const element = formRef.current?.querySelector<HTMLElement>(selector)
    element?.focus()
    return element
  }
  const addField = () => {
    const key = `new-${Date.now()}`
    edit({ fields: [...shown.fields, { key, name: '', type: 'text', value: '', isNew: true }] })
    requestAnimationFrame(() => focusOn(`[name="${key}.name"]`))
  }
  const discard = () => {
    setDraft(undefined)
    setRefused(undefined)
    setProblem(undefined)
  }

  const save = () => {
    if (!dirty || pending) return
    const fields = checkProfile(shown)
    if (Object.keys(fields).length > 0) return setProblem({ fields })
    setProblem(undefined)
    setRefused(undefined)
    void saveUser(changes, {
      onSuccess: () => {
        // What was typed while it was on its way is a draft still.
        if (profileDrafts.get(user.objectId) === draft) setDraft(undefined)
        toasts.add(say('Your profile is saved.'), 'ok')
      },
      onError: (error) => {
        if (needsStepUp(error)) return ask(save)
        setRefused(profileDrafts.get(user.objectId) ?? shown)
        setDraft(undefined)
        setProblem(quoteRefused(problemOf(error), shown))
      },
    })
  }

  return (
    <>
      <Form formRef={formRef} onSubmit={save} label={say('Profile')} className="gap-6">
        <FormProblemAlert
          problem={problem}
          secondsLeft={secondsLeft}
          actions={
            refused && (
              <Button
                look="secondary"
                onClick={() => {
                  setDraft(refused)
                  setRefused(undefined)
                  // The button goes with the press; the focus goes to what was refused, or to the first field.
                  focusOn('[aria-invalid="true"]') ?? focusOn('[name="username"]')
                }}
              >
                {say('Put my edits back')}
              </Button>
            )
          }
        >
          {refused && <p>{say('Nothing was saved. The form shows your profile as it was before.')}</p>}
        </FormProblemAlert>
        <Card aria-labelledby="identity">
          <CardHeader id="identity" title={say('You')} />
          <div className="flex flex-col gap-5">
            <AvatarField user={user} />
            <TextField
              label={say('User name')}
              name="username"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              required
              value={shown.username}
              error={errors.username}
              onChange={(event) => edit({ username: event.target.value })}
            />
            <TextField
              label={say('E-mail')}
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
            title={say('More about you')}
            aside={
              <Button look="secondary" onClick={addField}>
                <Plus size={18} aria-hidden="true" /> {say('Add a field')}
              </Button>
            }
          >
            {say('Anything else that you want to keep with your account.')}
          </CardHeader>
          {shown.fields.length + shown.fixed.length === 0 && (
            <p className="rounded-control bg-sunken p-4 text-sm text-muted">
              {say('No fields yet. Add the first one.')}
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
            {shown.fixed.map(({ name, text }) => (
              <li key={name} className="py-4">
                <p className="text-sm font-semibold">{name}</p>
                <p dir="ltr" className="mt-1 font-mono text-xs break-all text-muted">
                  {text}
                </p>
              </li>
            ))}
          </ul>
        </Card>
        <SaveBar dirty={dirty} pending={pending} disabled={secondsLeft > 0} onDiscard={discard} />
      </Form>
      <StepUpDialog {...dialog} />
    </>
  )
}

/** The field shows its saved value again, so the error says which one was meant. */
function quoteRefused(problem: FormProblem, refused: Profile): FormProblem {
  const fields = Object.entries(problem.fields ?? {}).map(([name, message]) => {
    const value = name === 'username' || name === 'email' ? refused[name] : undefined
    return [name, value ? say('“{value}”: {reason}', { value, reason: message ?? '' }) : message]
  })
  return { ...problem, fields: Object.fromEntries(fields) }
}
