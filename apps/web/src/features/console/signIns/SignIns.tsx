import { useSearchParams } from 'react-router'
import { t } from '../../../i18n/translate.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { SignInLimits } from './SignInLimits.tsx'
import { SignInTable } from './SignInTable.tsx'

const tabs = ['attempts', 'limits'] as const

/** Sign-in attempts, and the lockouts and rate limits that are in force. */
export function SignIns() {
  const [parameters] = useSearchParams()
  const shown = tabs.find((name) => name === parameters.get('show')) ?? 'attempts'
  return (
    <>
      <PageHeader title={t('Sign-ins')}>
        {t('Successful and failed sign-ins. What people typed is not stored.')}
      </PageHeader>
      <Tabs
        label={t('Sign-ins')}
        current={shown}
        tabs={[
          { name: 'attempts', label: t('Sign-ins') },
          { name: 'limits', label: t('Lockouts and rate limits') },
        ]}
      />
      <div className="mt-6">{shown === 'attempts' ? <SignInTable /> : <SignInLimits />}</div>
    </>
  )
}
