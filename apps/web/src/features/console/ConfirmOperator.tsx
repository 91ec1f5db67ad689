import { StepUpDialog } from '../../account/signIn/StepUpDialog.tsx'
import { t } from '../../i18n/translate.ts'

type Props = { onConfirmed: () => void; onDeclined: () => void }

/** For an operator whose session has never been confirmed: a remembered browser, or a key without a PIN. */
export function ConfirmOperator({ onConfirmed, onDeclined }: Props) {
  return (
    <StepUpDialog
      open
      onOpenChange={onDeclined}
      onConfirmed={onConfirmed}
      description={t('Confirm it’s you to open the console.')}
    />
  )
}
