import { readTokenInput, type TokenInput } from '@countersign/protocol'
import type { CountersignError } from '@countersign/react'
import { useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { SelectField, TextField } from '../../ui/forms/Field.tsx'
import { Form, FormProblemAlert, problemOf, useFormProblem } from '../../ui/forms/Form.tsx'

export type NewToken = { readonly name: string; readonly token: string }

type Props = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** An example of scopes. */
  hint: string
  /** The token may be valid without end. */
  mayLast?: boolean
  /** Creates the token; `undefined` if a proof was asked for and not given. */
  create: (draft: TokenInput) => Promise<NewToken | undefined>
}

/** Creates a token with scopes, and shows it once. */
export function TokenDialog({ open, onOpenChange, title, hint, mayLast = false, create }: Props) {
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()
  const [days, setDays] = useState(mayLast ? '0' : '90')
  const [pending, setPending] = useState(false)
  const [made, setMade] = useState<NewToken>()

  const change = (next: boolean) => {
    setProblem(undefined)
    setMade(undefined)
    onOpenChange(next)
  }
  const submit = async ({ name = '', scopes = '', addresses = '' }: Record<string, string>) => {
    setProblem(undefined)
    setPending(true)
    try {
      setMade(await create(readTokenInput({ name, scopes, addresses, days: Number(days) || undefined })))
    } catch (error) {
      setProblem(problemOf(error as CountersignError))
    } finally {
      setPending(false)
    }
  }
  const choices = ['7', '30', '90', '365'].map((each) => [each, t('{count} days', { count: Number(each) })] as const)
  return (
    <Dialog open={open} onOpenChange={change} title={title}>
      {made ? (
        <div className="flex flex-col gap-5">
          <Alert tone="warn" title={t('Save this token now. It’s shown only once.')} />
          <div className="flex items-center gap-2 rounded-control bg-sunken p-3">
            <code dir="ltr" className="min-w-0 flex-1 text-xs break-all">
              {made.token}
            </code>
            <CopyButton text={made.token} label={t('Copy: {name}', { name: made.name })} />
          </div>
          <Button onClick={() => change(false)}>{t('Done')}</Button>
        </div>
      ) : (
        <Form formRef={formRef} onSubmit={(values) => void submit(values)} label={title}>
          <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
          <TextField label={t('Name')} name="name" maxLength={80} required error={errors.name} />
          <TextField
            label={t('Scopes')}
            name="scopes"
            dir="ltr"
            autoCapitalize="none"
            spellCheck={false}
            required
            className="font-mono"
            hint={hint}
            error={errors.scopes}
          />
          <SelectField
            label={t('Expires after')}
            value={days}
            onChange={setDays}
            options={mayLast ? [['0', t('Never')], ...choices] : choices}
          />
          <TextField
            label={t('Allowed addresses')}
            name="addresses"
            dir="ltr"
            spellCheck={false}
            className="font-mono"
            hint={t('IP addresses and networks. Leave empty to allow all.')}
            error={errors.addresses}
          />
          <Button type="submit" pending={pending}>
            {t('Create token')}
          </Button>
        </Form>
      )}
    </Dialog>
  )
}
