import type { CountersignError } from '@countersign/react'
import { useConfirmTotp, useRemoveSecondFactor, useSecondFactor, useStartTotp } from '@countersign/react/account'
import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import { TotpKey } from '../../account/signIn/TotpKey.tsx'
import { needsStepUp } from '../../account/signIn/useConfirmation.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toasts } from '../../ui/feedback/toasts.ts'
import { describeError } from '../../ui/forms/describeError.ts'
import { CodeField } from '../../ui/forms/Field.tsx'
import { Form, FormProblemAlert, problemOf, useFormProblem } from '../../ui/forms/Form.tsx'
import { MethodRow } from './MethodRow.tsx'

type Props = { onStepUp: (again: () => void) => void }

/** The authenticator app of the account: set up, or turned off again. */
export function SecondFactorRow({ onStepUp }: Props) {
  const factor = useSecondFactor()
  const { startTotp, ...started } = useStartTotp()
  const { removeSecondFactor, status } = useRemoveSecondFactor()
  const [isSettingUp, setSettingUp] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const isOn = factor.data !== undefined && (factor.data.totp || factor.data.passkey)

  const fail = (again: () => void) => (error: CountersignError) => {
    if (needsStepUp(error)) return onStepUp(again)
    toasts.add(describeError(error).message, 'danger')
  }
  const begin = () => void startTotp({}, { onSuccess: () => setSettingUp(true), onError: fail(begin) })
  const remove = () => {
    setLeaving(false)
    void removeSecondFactor({ onSuccess: () => toasts.add(t('Second factor turned off'), 'ok'), onError: fail(remove) })
  }

  return (
    <MethodRow
      id="second-factor"
      icon={Smartphone}
      title={t('Authenticator app')}
      state={factor.data && (isOn ? 'on' : 'off')}
      status={
        isOn
          ? t('Asked for after your other sign-in methods.')
          : t('A second step that protects your account if a password is stolen.')
      }
      action={
        isOn ? (
          <Button look="secondary" pending={status === 'pending'} onClick={() => setLeaving(true)}>
            {t('Turn off')}
          </Button>
        ) : (
          <Button look="secondary" pending={started.status === 'pending'} onClick={begin}>
            {t('Set up|action')}
          </Button>
        )
      }
    >
      {isSettingUp && started.status === 'success' && (
        <SetUpDialog
          secret={started.data.secret}
          uri={started.data.uri}
          onClose={() => setSettingUp(false)}
          onStepUp={onStepUp}
        />
      )}
      <ConfirmDialog
        open={isLeaving}
        onOpenChange={setLeaving}
        title={t('Turn off the authenticator app?')}
        description={t('Signing in then takes one step only.')}
        confirm={t('Turn off')}
        onConfirm={remove}
      />
    </MethodRow>
  )
}

type SetUpProps = Props & { secret: string; uri: string; onClose: () => void }

function SetUpDialog({ secret, uri, onClose, onStepUp }: SetUpProps) {
  const { confirmTotp, status } = useConfirmTotp()
  const { formRef, problem, setProblem, secondsLeft, errors } = useFormProblem()
  const enter = (code: string) =>
    void confirmTotp(
      { code },
      {
        onSuccess: () => {
          onClose()
          toasts.add(
            t('Your account asks for a second factor now. Save recovery codes in case you lose your device.'),
            'ok',
          )
        },
        onError: (error) =>
          needsStepUp(error)
            ? onStepUp(() => enter(code))
            : setProblem(
                error.reason === 'invalidSecondFactorCode'
                  ? { fields: { code: t('The code is incorrect or was already used.') } }
                  : { ...problemOf(error), focus: 'code' },
              ),
      },
    )
  const submit = ({ code = '' }: Record<string, string>) =>
    code.trim() ? enter(code.trim()) : setProblem({ fields: { code: t('Enter the code.') } })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('Set up an authenticator app')}
      description={t(
        'Scan this code with your authenticator app, or enter the key. Then enter the code that the app shows.',
      )}
    >
      <TotpKey secret={secret} uri={uri} />
      <Form formRef={formRef} onSubmit={submit} label={t('Set up an authenticator app')}>
        <FormProblemAlert problem={problem} secondsLeft={secondsLeft} />
        <CodeField inputMode="numeric" error={errors.code} />
        <Button type="submit" pending={status === 'pending'}>
          {t('Turn on')}
        </Button>
      </Form>
    </Dialog>
  )
}
