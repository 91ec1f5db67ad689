import { useRequestEmailCode } from '@countersign/react'
import { Mail } from 'lucide-react'
import { useRef } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { describeError } from '../../ui/forms/describeError.ts'
import { CodeField } from '../../ui/forms/Field.tsx'
import { Form } from '../../ui/forms/Form.tsx'

type Props = {
  isFirst: boolean
  pending: boolean
  onCode: (input: { emailCode: { handle: string; code: string } }) => void
}

/** Confirms by a code that goes to the account's own address. */
export function StepUpEmailCode({ isFirst, pending, onCode }: Props) {
  const formRef = useRef<HTMLFormElement>(null)
  const { requestEmailCode, ...asked } = useRequestEmailCode()
  if (asked.status !== 'success')
    return (
      <>
        {asked.status === 'error' && <Alert tone="danger" title={describeError(asked.error).message} />}
        <Button
          look={isFirst ? 'primary' : 'secondary'}
          pending={asked.status === 'pending'}
          onClick={() => void requestEmailCode({ purpose: 'reauthenticate' }, { onError: () => {} })}
        >
          <Mail size={18} aria-hidden="true" />
          {t('Confirm with a code by email')}
        </Button>
      </>
    )
  const { handle } = asked.data
  return (
    <Form
      formRef={formRef}
      onSubmit={({ code = '' }) => void (pending || onCode({ emailCode: { handle, code: code.trim() } }))}
      label={t('Confirm with a code by email')}
    >
      <CodeField />
      <Button type="submit" pending={pending}>
        {t('Confirm')}
      </Button>
    </Form>
  )
}
