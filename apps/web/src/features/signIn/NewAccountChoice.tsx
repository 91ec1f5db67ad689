import { type CountersignError, findSecondStep } from '@countersign/react'
import { offersNewAccount } from '@countersign/react/sheet'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { useOpenSecondStep } from './useSecondStep.ts'

type Props = { pending: boolean; onChoose: () => void }

/** Offers the reader of a mailbox a new account, where mail alone does not open the one that has the address. */
export function NewAccountChoice({ pending, onChoose }: Props) {
  return (
    <div className="flex flex-col gap-3 border-edge border-t pt-5">
      <p className="text-muted text-sm">
        {t(
          'Not your account, or no access to it? You can start over with this email address. The old account stays as it is, without this address.',
        )}
      </p>
      <Button look="secondary" pending={pending} onClick={onChoose} className="h-auto min-h-11 w-full py-2">
        {t('Create a new account with this email address')}
      </Button>
    </div>
  )
}

/** The same after a sign-in by mail, whose account may ask for a second factor instead. */
export function MailRefusalChoice({ error, ...choice }: Props & { error: CountersignError }) {
  const openSecondStep = useOpenSecondStep()
  const step = findSecondStep(error)
  if (!offersNewAccount(error)) return null
  return (
    <>
      {step && (
        <Button look="secondary" className="w-full" onClick={() => openSecondStep(step)}>
          {t('Use the second factor')}
        </Button>
      )}
      <NewAccountChoice {...choice} />
    </>
  )
}
